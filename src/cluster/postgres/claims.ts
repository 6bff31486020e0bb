/**
 * Claims of documents: the sourceId and the content of each. The claims of all runs are the ledger.
 */
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { DIGEST_BYTES, type DocumentRange, hashesOf, sourceIdsOf } from '../../model/documents.js';
import type { Ledger, LedgerStatus } from '../../runs/store.js';
import type { Database } from './database/database.js';

const ID_DIGITS = 32;

/**
 * First 128 bits of the sourceId's SHA-256, as a UUID for Postgres; `null` without a sourceId, as
 * such documents aren't claimed. At a billion documents, 64 bits would collide in one of 37 such
 * tables.
 */
export function claimId(sourceId: string | null): string | null {
  return sourceId === null ? null : hash('sha256', sourceId, 'hex').slice(0, ID_DIGITS);
}

/**
 * 64 bits of each document's content. Where reviews are compared, the lower half is the hash of the
 * review alone, which stays the same if only other fields change.
 */
export function claimContents(range: DocumentRange): readonly bigint[] {
  const { documents, from, to } = range;
  const { digests } = hashesOf(range);
  const width = documents.reviews.length / documents.ends.length;
  return Array.from({ length: to - from }, (_, at) => {
    CONTENT_BUFFER.set(digests.subarray(at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES));
    const review = documents.reviews[(from + at) * width] ?? 0;
    if (review !== 0) CONTENT_BUFFER.writeUInt32LE(review, 0);
    return CONTENT_BUFFER.readBigInt64LE();
  });
}

const CONTENT_BUFFER = Buffer.alloc(DIGEST_BYTES);

/**
 * Returns whether two contents are the same review, or, where reviews aren't compared, the same
 * document.
 */
export function isSameReview(one: bigint, other: bigint): boolean {
  return BigInt.asUintN(32, one) === BigInt.asUintN(32, other);
}

/** Looks up documents of a target in the claims of other runs. */
export function claimsLedger(database: Database, target: number, run: number): Ledger {
  const lookUp = async (range: DocumentRange): Promise<ReadonlyMap<number, LedgerStatus>> => {
    const claims = sourceIdsOf(range).map(claimId);
    const contents = claimContents(range);
    const rows = await database.rows<ClaimRow>(LOOK_UP, [target, claims, run]);
    return new Map(
      rows.map(({ at, content, accepted, ended }) => {
        if (!accepted) return [at, ended ? 'left-unconfirmed' : 'unconfirmed'];
        return [at, BigInt(content) === contents[at] ? 'same' : 'changed'];
      }),
    );
  };
  return { lookUp, close: async () => {} };
}

interface ClaimRow {
  /** The document's index, from 0. */
  readonly at: number;
  readonly content: string;
  readonly accepted: boolean;
  /** Whether its run has ended or was pruned. */
  readonly ended: boolean;
}

const LOOK_UP = `SELECT (c.at - 1)::integer AS at, k.content::text AS content,
    k.intent IS NULL OR coalesce(i.accepted, true) AS accepted, coalesce(r.state = 'ended', true) AS ended
  FROM unnest($2::uuid[]) WITH ORDINALITY AS c(id, at)
  JOIN docferry.claims AS k ON k.target = $1 AND k.id = c.id AND k.run <> $3
  LEFT JOIN docferry.intents AS i ON i.run = k.run AND i.intent = k.intent
  LEFT JOIN docferry.runs AS r ON r.run = k.run`;

/**
 * Moves claims of unconfirmed documents from ended runs to intents of this run. Locks the ended
 * runs, because one may be resumed at that moment. Values: target, run, and for each document claim
 * id, content and intent.
 */
export const TAKE_OVER = `WITH abandoned AS (
    SELECT k.id FROM docferry.claims AS k JOIN docferry.runs AS r USING (run)
    JOIN docferry.intents AS i ON i.run = k.run AND i.intent = k.intent
    WHERE k.target = $1 AND k.id = ANY ($3::uuid[]) AND k.run <> $2 AND r.state = 'ended' AND NOT i.accepted
    ORDER BY k.id FOR SHARE OF r FOR NO KEY UPDATE OF k
  )
  UPDATE docferry.claims AS k SET content = c.content, run = $2, intent = c.intent
  FROM unnest($3::uuid[], $4::bigint[], $5::bigint[]) AS c(id, content, intent) JOIN abandoned USING (id)
  WHERE k.target = $1 AND k.id = c.id`;

/**
 * Claims of documents: the sourceId and the content of each. The claims of all runs are the ledger.
 */
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { DIGEST_BYTES, type DocumentRange, hashesOf, sourceIdsOf } from '../../model/documents.js';
import type { Ledger, LedgerStatus } from '../store.js';
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
  return Array.from({ length: to - from }, (_, at) => {
    CONTENT_BUFFER.set(digests.subarray(at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES));
    const review = documents.reviews[from + at] ?? 0;
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

/** Looks up documents of a target in the claims of other runs, and of other shards of the group. */
export function claimsLedger(database: Database, target: number, run: number): Ledger {
  const lookUp = async (range: DocumentRange): Promise<ReadonlyMap<number, LedgerStatus>> => {
    const claims = sourceIdsOf(range).map(claimId);
    const contents = claimContents(range);
    const rows = await database.rows<ClaimRow>(LOOK_UP, [target, claims, run]);
    return new Map(rows.map((claim) => [claim.at, statusOf(claim, contents[claim.at] as bigint)]));
  };
  return { lookUp, close: async () => {} };
}

function statusOf({ content, related, accepted, ended }: ClaimRow, own: bigint): LedgerStatus {
  const other = BigInt(content);
  if (related) return isSameReview(own, other) ? 'repeat' : 'repeat-changed';
  const isSame = own === other;
  if (accepted) return isSame ? 'same' : 'changed';
  if (!ended) return 'unconfirmed';
  return isSame ? 'left-unconfirmed' : 'left-changed';
}

interface ClaimRow {
  /** The document's index, from 0. */
  readonly at: number;
  readonly content: string;
  /** Whether it is of another shard of the group. */
  readonly related: boolean;
  readonly accepted: boolean;
  /** Whether its run has ended or was pruned. */
  readonly ended: boolean;
}

const LOOK_UP = `SELECT (c.at - 1)::integer AS at, k.content::text AS content,
    coalesce(r.group_number = (SELECT o.group_number FROM docferry.runs AS o WHERE o.run = $3), false) AS related,
    k.intent IS NULL OR coalesce(i.accepted, true) AS accepted, coalesce(r.state = 'ended', true) AS ended
  FROM unnest($2::uuid[]) WITH ORDINALITY AS c(id, at)
  JOIN docferry.claims AS k ON k.target = $1 AND k.id = c.id AND k.run <> $3
  LEFT JOIN docferry.intents AS i ON i.run = k.run AND i.intent = k.intent
  LEFT JOIN docferry.runs AS r ON r.run = k.run`;

/**
 * Moves claims of unconfirmed documents from ended runs to intents of this run. Locks the ended
 * runs, because one may be resumed at that moment. Claims keep the content that was sent, which is
 * this run's or not, as was looked up. Values: target, run, and for each document claim id, content,
 * intent, and whether other content was sent.
 */
export const TAKE_OVER = `WITH abandoned AS (
    SELECT k.id, k.content FROM docferry.claims AS k JOIN docferry.runs AS r USING (run)
    JOIN docferry.intents AS i ON i.run = k.run AND i.intent = k.intent
    WHERE k.target = $1 AND k.id = ANY ($3::uuid[]) AND k.run <> $2 AND r.state = 'ended' AND NOT i.accepted
    ORDER BY k.id FOR SHARE OF r FOR NO KEY UPDATE OF k
  )
  UPDATE docferry.claims AS k SET run = $2, intent = c.intent
  FROM unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::boolean[]) AS c(id, content, intent, other)
  JOIN abandoned AS a ON a.id = c.id AND (a.content <> c.content) = c.other
  WHERE k.target = $1 AND k.id = c.id`;

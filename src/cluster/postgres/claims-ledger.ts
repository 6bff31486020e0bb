import type { Known, Ledger, Sought } from '../../runs/store.js';
import { claimContent, claimId } from './claim-keys.js';
import type { Database } from './database/database.js';

interface ClaimRow {
  readonly at: number;
  readonly content: string;
  readonly accepted: boolean;
}

/** What other runs have claimed of a target: the claims are the ledger. */
export class ClaimsLedger implements Ledger {
  readonly #database: Database;
  readonly #target: number;
  readonly #run: number;

  constructor(database: Database, target: number, run: number) {
    this.#database = database;
    this.#target = target;
    this.#run = run;
  }

  async lookUp({ ids, digests, ...sought }: Sought): Promise<ReadonlyMap<number, Known>> {
    const claims = ids().map(claimId);
    const reviews = sought.reviews();
    const rows = await this.#database.rows<ClaimRow>(LOOK_UP, [this.#target, claims, this.#run]);
    return new Map(
      rows.map(({ at, content, accepted }) => {
        const own = claimContent(digests, at, reviews[at] ?? 0);
        if (!accepted) return [at, 'unconfirmed'];
        return [at, BigInt(content) === own ? 'same' : 'changed'];
      }),
    );
  }

  async close(): Promise<void> {}
}

/** Whole numbers from 0. */
const LOOK_UP = `SELECT (c.at - 1)::integer AS at, k.content::text AS content,
    k.intent IS NULL OR coalesce(i.accepted, true) AS accepted
  FROM unnest($2::uuid[]) WITH ORDINALITY AS c(id, at)
  JOIN docferry.claims AS k ON k.target = $1 AND k.id = c.id AND k.run <> $3
  LEFT JOIN docferry.intents AS i ON i.run = k.run AND i.intent = k.intent`;

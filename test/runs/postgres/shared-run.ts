import { onTestFinished } from 'vitest';
import type { Batch } from '../../../src/model/documents.js';
import type { RunDescription } from '../../../src/runs/description.js';
import { PostgresStore } from '../../../src/runs/postgres/store.js';
import type { JournaledOutcome, RunJournal } from '../../../src/runs/store.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';

/** Opens a store, as a separate process would. */
export async function openStore(url: string): Promise<PostgresStore> {
  const store = await PostgresStore.open(url);
  onTestFinished(() => store[Symbol.asyncDispose]().catch(() => {}));
  return store;
}

export interface Held {
  readonly store: PostgresStore;
  readonly id: string;
  readonly stored: RunJournal;
}

/** Begins a run, as the process that holds it. */
export async function beginHeld(
  store: PostgresStore,
  id: string,
  { monitoring = 1, alone = false } = {},
): Promise<Held> {
  const description = {
    started: '2026-01-01T00:00:00.000Z',
    inputs: [{ name: id, path: `/data/${id}`, size: 1, modifiedMs: 1 }],
    inputKey: null,
    mapping: { name: 'm', hash: 'm' },
    target: { service: 'https://api.example.com/5.0', monitoring },
    options: { skipKnown: !alone },
  } as unknown as RunDescription;
  const stored = await store.begin(id, description);
  onTestFinished(() => stored.release().catch(() => {}));
  return { store, id, stored };
}

type Review = Parameters<typeof documentsOf>[0][number];

/** A request for these documents; their records are numbered from `first`. */
export function intentOf(reviews: readonly Review[], first = 1): Batch {
  return batchOf({ documents: documentsOf(reviews, first), from: 0, to: reviews.length });
}

export function reviewsOf(ids: readonly string[], text = 'Good'): readonly Review[] {
  return ids.map((sourceId) => ({ sourceId, text }));
}

/** Settles records `from` to `to`. */
export function settlementOf(
  intent: number,
  outcome: JournaledOutcome['outcome'],
  from = 1,
  to = from,
): JournaledOutcome {
  return { intent, records: [{ input: 0, from, to }], outcome, message: '' };
}

import type { PublishedWindow } from '../../model/documents.js';
import {
  type RecordRange,
  type RecordState,
  RecordStates,
  recordsInOrder,
} from '../../model/record-ranges.js';
import type { Intent } from '../store.js';
import { claimId } from './claims.js';
import type { Database } from './database/database.js';

const PAGE_ROWS = 5_000;

interface EntryRow extends RecordState {
  readonly place: number;
  readonly records: string;
}

/**
 * Reads the state of every record of a run that has an entry. Records whose sourceId another request
 * had claimed are `unsent`, even if their process was killed before recording that.
 */
export async function readStates(
  database: Database,
  run: number,
): Promise<RecordStates<RecordState>> {
  const states = await readEntries(database, run);
  const unconfirmed = [...states.entries()].flatMap(([, state]) =>
    isUnconfirmed(state) ? [state.intent] : [],
  );
  for (const number of new Set(unconfirmed)) {
    const { ids, records } = (await readIntent(database, run, number)) as Intent;
    const rows = await database.rows<{ at: number }>(UNCLAIMED, [run, number, ids.map(claimId)]);
    const unclaimed = new Set(rows.map(({ at }) => at));
    for (const { input, record, index } of recordsInOrder(records)) {
      const state = states.get(input, record);
      if (!unclaimed.has(index) || state?.intent !== number || !isUnconfirmed(state)) continue;
      states.set({ input, from: record, to: record }, { ...state, kind: 'unsent', message: '' });
    }
  }
  return states;
}

async function readEntries(database: Database, run: number): Promise<RecordStates<RecordState>> {
  const states = new RecordStates<RecordState>();
  for (let after = 0; ; ) {
    const rows = await database.rows<EntryRow>(
      `SELECT place, CASE kind WHEN 'intent' THEN 'sending' ELSE kind END AS kind, intent, records,
         message, (extract(epoch FROM at) * 1000)::double precision AS "atMs",
         coalesce(i.digests = '', false) AS "sentOther"
       FROM docferry.entries LEFT JOIN docferry.intents AS i USING (run, intent)
       WHERE run = $1 AND place > $2 ORDER BY place LIMIT $3`,
      [run, after, PAGE_ROWS],
    );
    for (const { kind, intent, records, message: json, atMs, sentOther } of rows) {
      const message = JSON.parse(json) as string;
      const state = { kind, intent, message, atMs, sentOther: sentOther === true };
      for (const range of rangesOf(records)) states.set(range, state);
    }
    if (rows.length < PAGE_ROWS) return states;
    after = (rows.at(-1) as EntryRow).place;
  }
}

/** Returns whether the service may have received the record. */
function isUnconfirmed({ kind }: RecordState): boolean {
  return kind === 'sending' || kind === 'unknown';
}

/** Indexes from 0 of ids whose claim the request doesn't hold. */
const UNCLAIMED = `SELECT (c.at - 1)::integer AS at
  FROM docferry.runs AS r
  CROSS JOIN unnest($3::uuid[]) WITH ORDINALITY AS c(id, at)
  LEFT JOIN docferry.claims AS k ON k.target = r.target AND k.id = c.id
  WHERE r.run = $1 AND c.id IS NOT NULL AND k.intent IS DISTINCT FROM $2`;

/** Reads an intent. `idHashes` is empty, as hashes of sourceIds aren't stored. */
export async function readIntent(
  database: Database,
  run: number,
  number: number,
): Promise<Intent | undefined> {
  const [row] = await database.rows<
    Record<'ids' | 'published' | 'records', string> & Pick<Intent, 'digests'>
  >(
    `SELECT ids, digests, published, records FROM docferry.intents AS i
     JOIN docferry.entries AS e ON e.run = i.run AND e.number = i.intent
     WHERE i.run = $1 AND i.intent = $2`,
    [run, number],
  );
  return (
    row && {
      records: rangesOf(row.records),
      ids: JSON.parse(row.ids) as (string | null)[],
      idHashes: new Uint8Array(),
      digests: row.digests,
      published: JSON.parse(row.published) as PublishedWindow | null,
    }
  );
}

export function rangesText(ranges: readonly RecordRange[]): string {
  return JSON.stringify(ranges.map(({ input, from, to }) => [input, from, to]));
}

function rangesOf(text: string): readonly RecordRange[] {
  const triples = JSON.parse(text) as [number, number, number][];
  return triples.map(([input, from, to]) => ({ input, from, to }));
}

/** Reads what was written of a run's requests. */
import type { PublishedWindow } from '../../model/documents.js';
import type { RecordRange, RecordState, SentOutcome } from '../../model/record-ranges.js';
import { RecordStates, recordsInOrder } from '../../model/record-ranges.js';
import type { Intent } from '../../runs/store.js';
import { claimId } from './claim-keys.js';
import type { Database } from './database/database.js';

/** Where a shard lies: which input, and which part of it. */
export interface ShardPlace {
  readonly input: number;
  readonly part: number;
}

const PAGE = 5_000;

interface EntryRow {
  readonly place: number;
  readonly kind: 'intent' | SentOutcome;
  readonly intent: number;
  readonly records: string;
  readonly message: string;
  readonly at_ms: number;
}

/**
 * The state of every record that was to be sent, of a run or of one of its shards. Records whose
 * sourceId another request had claimed are `unsent`, even if their process was killed before it
 * recorded that.
 */
export async function readStates(
  database: Database,
  run: number,
  shard?: ShardPlace,
): Promise<RecordStates<RecordState>> {
  const states = await readEntries(database, run, shard);
  const open = new Set<number>();
  for (const [, { kind, intent }] of states.entries()) {
    if (isOpen(kind)) open.add(intent);
  }
  for (const intent of open) await releaseUnclaimed(database, { run, intent, states });
  return states;
}

async function readEntries(
  database: Database,
  run: number,
  shard: ShardPlace | undefined,
): Promise<RecordStates<RecordState>> {
  const states = new RecordStates<RecordState>();
  const [where, of] =
    shard === undefined ? ['', []] : ['AND input = $4 AND part = $5', [shard.input, shard.part]];
  for (let after = 0; ; ) {
    const rows = await database.rows<EntryRow>(
      `SELECT place, kind, intent, records, message,
       (extract(epoch FROM at) * 1000)::double precision AS at_ms
       FROM docferry.entries WHERE run = $1 AND place > $2 ${where} ORDER BY place LIMIT $3`,
      [run, after, PAGE, ...of],
    );
    for (const { kind, intent, records, message, at_ms: atMs } of rows) {
      const state = {
        kind: kind === 'intent' ? ('sending' as const) : kind,
        intent,
        message: JSON.parse(message) as string,
        atMs,
      };
      for (const range of rangesOf(records)) states.set(range, state);
    }
    if (rows.length < PAGE) return states;
    after = (rows.at(-1) as EntryRow).place;
  }
}

/** Whether the service may have the record. */
function isOpen(kind: RecordState['kind'] | undefined): boolean {
  return kind === 'sending' || kind === 'unknown';
}

/** Marks the records of a request as unsent whose sourceIds it doesn't hold. */
async function releaseUnclaimed(
  database: Database,
  {
    run,
    intent: number,
    states,
  }: {
    readonly run: number;
    readonly intent: number;
    readonly states: RecordStates<RecordState>;
  },
): Promise<void> {
  const intent = await readIntent(database, run, number);
  if (intent === undefined) return;
  const claims = intent.ids.map(claimId);
  const rows = await database.rows<{ at: number }>(UNCLAIMED, [run, number, claims]);
  const unclaimed = new Set(rows.map(({ at }) => at));
  for (const { input, record, index } of recordsInOrder(intent.records)) {
    const state = states.get(input, record);
    if (!unclaimed.has(index) || state?.intent !== number || !isOpen(state.kind)) continue;
    states.set({ input, from: record, to: record }, { ...state, kind: 'unsent', message: '' });
  }
}

/** Indexes of ids that a request doesn't hold, from 0. */
const UNCLAIMED = `SELECT (c.at - 1)::integer AS at
  FROM docferry.runs AS r
  CROSS JOIN unnest($3::uuid[]) WITH ORDINALITY AS c(id, at)
  LEFT JOIN docferry.claims AS k ON k.target = r.target AND k.id = c.id
  WHERE r.run = $1 AND c.id IS NOT NULL AND k.intent IS DISTINCT FROM $2`;

interface IntentRow {
  readonly ids: string;
  readonly digests: Uint8Array;
  readonly published: string;
  readonly records: string;
}

const NOTHING = new Uint8Array();

/** An intent as it was written; its hashes of sourceIds aren't kept. */
export async function readIntent(
  database: Database,
  run: number,
  number: number,
): Promise<Intent | undefined> {
  const [row] = await database.rows<IntentRow>(
    `SELECT ids, digests, published, records FROM docferry.intents AS i
     JOIN docferry.entries AS e ON e.run = i.run AND e.number = i.intent
     WHERE i.run = $1 AND i.intent = $2`,
    [run, number],
  );
  if (row === undefined) return undefined;
  return {
    records: rangesOf(row.records),
    ids: JSON.parse(row.ids) as (string | null)[],
    idHashes: NOTHING,
    digests: row.digests,
    published: JSON.parse(row.published) as PublishedWindow | null,
  };
}

export function rangesText(ranges: readonly RecordRange[]): string {
  return JSON.stringify(ranges.map(({ input, from, to }) => [input, from, to]));
}

function rangesOf(text: string): readonly RecordRange[] {
  const triples = JSON.parse(text) as [number, number, number][];
  return triples.map(([input, from, to]) => ({ input, from, to }));
}

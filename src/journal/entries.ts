import { Buffer } from 'node:buffer';
import type { PublishedWindow } from '../published-window.js';
import type { RecordRange } from '../record-ranges.js';
import type { DurableDatabase } from './database.js';

/** What can become of a request's documents, as far as the journal has to know. */
export type JournalOutcome = 'accepted' | 'rejected' | 'unknown' | 'unsent';

/** A request that is about to be made. */
export interface Intent extends Addressed {
  /** For each record its document's sourceId. */
  readonly ids: readonly (string | null)[];
}

/** The same as it is given to be written. */
export interface NewIntent extends Addressed {
  /** The sourceIds in pieces of a JSON list, in UTF-8, without its brackets. */
  readonly ids: readonly Uint8Array[];
}

/** Which records a request carries, and as which documents. */
interface Addressed {
  readonly records: readonly RecordRange[];
  /** Eight bytes a document: the hash of its sourceId. */
  readonly idHashes: Uint8Array;
  /** Eight bytes a document: the hash of its content. */
  readonly digests: Uint8Array;
  readonly published: PublishedWindow | null;
}

/** What became of some documents of a request. */
export interface Settlement {
  /** Number of the request's intent. */
  readonly intent: number;
  readonly records: readonly RecordRange[];
  readonly outcome: JournalOutcome;
  /** Why; empty where there is nothing to say. */
  readonly message: string;
}

/** One line of the journal, short of what only read-back and the ledger need. */
export interface Entry {
  /** Numbers go up in the order of writing. For an intent, it is the intent's number. */
  readonly entry: number;
  readonly kind: 'intent' | JournalOutcome;
  /** The intent that an outcome belongs to; an intent's own number. */
  readonly intent: number;
  readonly records: readonly RecordRange[];
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** Makes the journal's tables. Texts are JSON: SQLite's end at U+0000, and half characters break. */
export const JOURNAL_TABLES = `
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (
  entry INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  intent INTEGER NOT NULL,
  records TEXT NOT NULL,
  message TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS intents (
  intent INTEGER PRIMARY KEY,
  ids TEXT NOT NULL,
  id_hashes BLOB NOT NULL,
  digests BLOB NOT NULL,
  published TEXT NOT NULL
);`;

const ADD_ENTRY =
  'INSERT INTO entries (entry, kind, intent, records, message, at_ms) VALUES (?, ?, ?, ?, ?, ?)';
const ADD_INTENT =
  'INSERT INTO intents (intent, ids, id_hashes, digests, published) VALUES (?, CAST(? AS TEXT), ?, ?, ?)';

/** Adds an intent under a number. Within a transaction. */
export function addIntent(
  database: DurableDatabase,
  number: number,
  intent: NewIntent,
  atMs: number,
): void {
  const { records, ids, idHashes, digests, published } = intent;
  database.run(ADD_ENTRY, [number, 'intent', number, rangesText(records), '""', atMs]);
  const values = [listOf(ids), idHashes, digests, JSON.stringify(published)] as const;
  database.run(ADD_INTENT, [number, ...values]);
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** A JSON list, of pieces of it. */
function listOf(pieces: readonly Uint8Array[]): Uint8Array {
  const parts = pieces.flatMap((piece, index) => [index === 0 ? OPEN : COMMA, piece]);
  return Buffer.concat([...parts, CLOSE]);
}

/** Adds an outcome under a number. Within a transaction. */
export function addSettlement(
  database: DurableDatabase,
  number: number,
  { intent, records, outcome, message }: Settlement,
  atMs: number,
): void {
  const values = [outcome, intent, rangesText(records), JSON.stringify(message), atMs] as const;
  database.run(ADD_ENTRY, [number, ...values]);
}

interface EntryRow {
  readonly entry: number;
  readonly kind: Entry['kind'];
  readonly intent: number;
  readonly records: string;
  readonly message: string;
  readonly at_ms: number;
}

const PAGE = 1_000;

/** All entries in the order in which they were written. */
export function* readEntries(database: DurableDatabase): Generator<Entry, void, undefined> {
  let last = 0;
  for (;;) {
    const rows = database.all<EntryRow>(
      'SELECT * FROM entries WHERE entry > ? ORDER BY entry LIMIT ?',
      [last, PAGE],
    );
    for (const row of rows) yield entryOf(row);
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.entry ?? last;
  }
}

function entryOf({ records, message, at_ms: atMs, ...row }: EntryRow): Entry {
  return { ...row, records: rangesOf(records), message: JSON.parse(message) as string, atMs };
}

interface IntentRow {
  readonly ids: string;
  /** libsql gives blobs so. */
  readonly id_hashes: ArrayBuffer;
  readonly digests: ArrayBuffer;
  readonly published: string;
  readonly records: string;
}

/** An intent with all that was written of it. */
export function readIntent(database: DurableDatabase, number: number): Intent | undefined {
  const [row] = database.all<IntentRow>(
    'SELECT intents.*, records FROM intents JOIN entries ON entry = intents.intent WHERE intents.intent = ?',
    [number],
  );
  if (row === undefined) return undefined;
  return {
    records: rangesOf(row.records),
    ids: JSON.parse(row.ids) as (string | null)[],
    idHashes: new Uint8Array(row.id_hashes),
    digests: new Uint8Array(row.digests),
    published: JSON.parse(row.published) as PublishedWindow | null,
  };
}

function rangesText(ranges: readonly RecordRange[]): string {
  return JSON.stringify(ranges.map(({ input, from, to }) => [input, from, to]));
}

function rangesOf(text: string): readonly RecordRange[] {
  const triples = JSON.parse(text) as [number, number, number][];
  return triples.map(([input, from, to]) => ({ input, from, to }));
}

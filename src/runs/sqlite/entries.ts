import { Buffer } from 'node:buffer';
import type { PublishedWindow } from '../../model/documents.js';
import type { RecordRange } from '../../model/record-ranges.js';
import { type RecordState, RecordStates, type SentOutcome } from '../../model/record-ranges.js';
import type { Intent, NewIntent, Settlement } from '../store.js';
import { damaged, rowCheck } from './damage.js';
import { asBytes, asInteger, type DurableDatabase, type SqlValue } from './database.js';

/** One line of the journal, short of what only reconciliation and the ledger need. */
interface Entry {
  readonly kind: 'intent' | SentOutcome;
  /** The intent that an outcome belongs to; an intent's own number. */
  readonly intent: number;
  readonly records: readonly RecordRange[];
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/**
 * Makes the tables of requests. Texts are JSON: SQLite's end at U+0000, and lone surrogates break.
 * The check value of an entry continues that of the entry before: none can be missing in between.
 */
export const ENTRIES_TABLES = `
CREATE TABLE IF NOT EXISTS entries (
  entry INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  intent INTEGER NOT NULL,
  records TEXT NOT NULL,
  message TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  row_check INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS intents (
  intent INTEGER PRIMARY KEY,
  ids TEXT NOT NULL,
  id_hashes BLOB NOT NULL,
  digests BLOB NOT NULL,
  published TEXT NOT NULL,
  row_check INTEGER NOT NULL
);`;

const ADD_ENTRY =
  'INSERT INTO entries (entry, kind, intent, records, message, at_ms, row_check) VALUES (?, ?, ?, ?, ?, ?, ?)';
const ADD_INTENT =
  'INSERT INTO intents (intent, ids, id_hashes, digests, published, row_check) VALUES (?, CAST(? AS TEXT), ?, ?, ?, ?)';

/** The end of the journal: what the next entry continues. */
export interface JournalEnd {
  /** The last entry's number; 0: there is none. */
  readonly entry: number;
  /** Its check value. */
  readonly check: number;
}

const JOURNAL_START: JournalEnd = { entry: 0, check: 0 };

/** Adds an intent. Within a transaction. Gives the new end; its entry is the intent's number. */
export function addIntent(
  database: DurableDatabase,
  end: JournalEnd,
  intent: NewIntent,
  atMs: number,
): JournalEnd {
  const { records, ids, idHashes, digests, published } = intent;
  const number = end.entry + 1;
  const values = [number, listOf(ids), idHashes, digests, JSON.stringify(published)] as const;
  database.run(ADD_INTENT, [...values, rowCheck(values)]);
  return addEntry(database, end, ['intent', number, rangesText(records), '""', atMs]);
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** A JSON list, of pieces of it. */
function listOf(pieces: readonly Uint8Array[]): Uint8Array {
  const parts = pieces.flatMap((piece, index) => [index === 0 ? OPEN : COMMA, piece]);
  return Buffer.concat([...parts, CLOSE]);
}

/** Adds an outcome. Within a transaction. Gives the new end. */
export function addSettlement(
  database: DurableDatabase,
  end: JournalEnd,
  { intent, records, outcome, message }: Settlement,
  atMs: number,
): JournalEnd {
  const values = [outcome, intent, rangesText(records), JSON.stringify(message), atMs] as const;
  return addEntry(database, end, values);
}

function addEntry(
  database: DurableDatabase,
  end: JournalEnd,
  values: readonly SqlValue[],
): JournalEnd {
  const entry = end.entry + 1;
  const check = rowCheck([entry, ...values], end.check);
  database.run(ADD_ENTRY, [entry, ...values, check]);
  return { entry, check };
}

interface EntryRow {
  readonly entry: number;
  readonly kind: ArrayBuffer;
  readonly intent: number;
  readonly records: ArrayBuffer;
  readonly message: ArrayBuffer;
  readonly at_ms: number;
  readonly row_check: number;
}

const ENTRIES = `SELECT entry, ${asBytes('kind')}, ${asInteger('intent')}, ${asBytes('records')},
  ${asBytes('message')}, ${asInteger('at_ms')}, ${asInteger('row_check')}
  FROM entries WHERE entry > ? ORDER BY entry LIMIT ?`;
const PAGE = 1_000;

/** Where the journal continues. Whether its end is what was written shows when entries are read. */
export function readEnd(database: DurableDatabase): JournalEnd {
  const sql = `SELECT entry, ${asInteger('row_check')} FROM entries ORDER BY entry DESC LIMIT 1`;
  const [row] = database.all<Pick<EntryRow, 'entry' | 'row_check'>>(sql);
  return row === undefined ? JOURNAL_START : { entry: row.entry, check: row.row_check };
}

/**
 * The state of every record that was to be sent.
 * @throws JournalError also if an entry isn't what was written
 */
export function readStates(database: DurableDatabase): RecordStates<RecordState> {
  const states = new RecordStates<RecordState>();
  for (const { kind, intent, records, message, atMs } of readEntries(database)) {
    const state = { kind: kind === 'intent' ? ('sending' as const) : kind, intent, message, atMs };
    for (const range of records) states.set(range, state);
  }
  return states;
}

/**
 * Makes sure that the entries are what was written, and every request's intent as well.
 * @throws JournalError if one isn't, or is missing before others
 */
export function checkEntries(database: DurableDatabase): void {
  for (const { kind, intent } of readEntries(database)) {
    if (kind === 'intent' && readIntent(database, intent) === undefined) {
      throw damaged(database.file, `its request ${intent} is missing`);
    }
  }
}

/** All entries in the order in which they were written. */
function* readEntries(database: DurableDatabase): Generator<Entry, void, undefined> {
  let end = JOURNAL_START;
  for (;;) {
    const rows = database.all<EntryRow>(ENTRIES, [end.entry, PAGE]);
    for (const row of rows) {
      end = endAfter(end, row, database.file);
      yield entryOf(row);
    }
    if (rows.length < PAGE) return;
  }
}

function endAfter(end: JournalEnd, row: EntryRow, file: string): JournalEnd {
  const { entry, kind, intent, records, message, at_ms: atMs } = row;
  const texts = [kind, records, message].map((text) => new Uint8Array(text));
  const [kindText = '', recordsText = '', messageText = ''] = texts;
  const check = rowCheck([entry, kindText, intent, recordsText, messageText, atMs], end.check);
  if (entry === end.entry + 1 && check === row.row_check) return { entry, check };
  throw damaged(file, `its entry ${end.entry + 1} is missing, or not what was written`);
}

/** What a row says once its check value has shown that it is what was written. */
function entryOf({ kind, intent, records, message, at_ms: atMs }: EntryRow): Entry {
  return {
    kind: textOf(kind) as Entry['kind'],
    intent,
    records: rangesOf(records),
    message: JSON.parse(textOf(message)) as string,
    atMs,
  };
}

interface IntentRow {
  readonly ids: ArrayBuffer;
  readonly id_hashes: ArrayBuffer;
  readonly digests: ArrayBuffer;
  readonly published: ArrayBuffer;
  readonly row_check: number;
  readonly records: ArrayBuffer;
}

const INTENT = `SELECT ${asBytes('ids')}, ${asBytes('id_hashes')}, ${asBytes('digests')},
  ${asBytes('published')}, ${asInteger('intents.row_check', 'row_check')}, ${asBytes('records')}
  FROM intents JOIN entries ON entry = intents.intent WHERE intents.intent = ?`;

/**
 * An intent with all that was written of it.
 * @throws JournalError if that isn't what was written
 */
export function readIntent(database: DurableDatabase, number: number): Intent | undefined {
  const [row] = database.all<IntentRow>(INTENT, [number]);
  if (row === undefined) return undefined;
  const { ids, id_hashes: idHashes, digests, published } = row;
  const blobs = [ids, idHashes, digests, published].map((blob) => new Uint8Array(blob));
  if (rowCheck([number, ...blobs]) !== row.row_check) {
    throw damaged(database.file, `its request ${number} is not what was written`);
  }
  return {
    records: rangesOf(row.records),
    ids: JSON.parse(textOf(ids)) as (string | null)[],
    idHashes: new Uint8Array(idHashes),
    digests: new Uint8Array(digests),
    published: JSON.parse(textOf(published)) as PublishedWindow | null,
  };
}

function rangesText(ranges: readonly RecordRange[]): string {
  return JSON.stringify(ranges.map(({ input, from, to }) => [input, from, to]));
}

function rangesOf(text: ArrayBuffer): readonly RecordRange[] {
  const triples = JSON.parse(textOf(text)) as [number, number, number][];
  return triples.map(([input, from, to]) => ({ input, from, to }));
}

function textOf(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString();
}

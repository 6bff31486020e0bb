import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import type Database from 'libsql';
import { hashesOf } from '../../model/documents.js';
import { openSqlite } from '../../model/open-sqlite.js';
import { type RecordRange, type RecordState, recordsInOrder } from '../../model/record-ranges.js';
import type { RunTarget } from '../description.js';
import type { Intent, Ledger, LedgerStatus, TakenOver } from '../store.js';
import type { Journal } from './journal.js';
import {
  DamageError,
  damaged,
  fromEarlierVersion,
  journalError,
  makePrivateFile,
} from './run-files.js';

// With a smaller cache, pages that a transaction changes are written out again and again.
const SETTINGS = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA cache_size = -65536;`;

/** "dfl" and the version. */
const FORMAT = 0x64_66_6c_02;

const TABLES = `
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS documents (
  target INTEGER NOT NULL,
  id BLOB NOT NULL,
  content BLOB NOT NULL,
  run INTEGER NOT NULL,
  unconfirmed INTEGER NOT NULL,
  PRIMARY KEY (target, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (
  number INTEGER PRIMARY KEY,
  run TEXT NOT NULL UNIQUE,
  stamp TEXT NOT NULL
);
PRAGMA application_id = ${FORMAT};
COMMIT;`;

/**
 * Documents per statement. Its time depends on the pages that it changes: fewer take twice as long.
 */
const DOCUMENTS_PER_STATEMENT = 20_000;

const BUSY_TIMEOUT_MS = 10_000;

// The database splits the blobs: one call per document would take several times as long.
const ID = 'substr(?2, value * 16 + 1, 8)';
const ADD = `INTO documents (target, id, content, unconfirmed, run)
  SELECT ?1, ${ID}, substr(?2, value * 16 + 9, 8), ?3, ?4 FROM json_each(?5)`;
/** Statements by what a document's state means for the ledger. */
const STATEMENTS = {
  accepted: `INSERT OR REPLACE ${ADD}`,
  // An accepted document stays accepted if a later run leaves it unconfirmed. An unconfirmed one
  // belongs to the later run from then on, which may have reconciled and resent it.
  unconfirmed: `INSERT ${ADD} WHERE true ON CONFLICT (target, id)
    DO UPDATE SET content = excluded.content, run = excluded.run WHERE documents.unconfirmed = 1`,
  absent: `DELETE FROM documents WHERE target = ?1 AND run = ?4 AND unconfirmed = 1
    AND id IN (SELECT ${ID} FROM json_each(?5))`,
};
const TAKEN_OVER = `SELECT value AS at, NOT d.unconfirmed AND d.content = substr(?2, value * 16 + 9, 8) AS same
  FROM json_each(?4) CROSS JOIN documents AS d
  ON d.target = ?1 AND d.id = ${ID} CROSS JOIN runs AS r ON r.run = ?3
  WHERE d.run > r.number OR d.run < r.number AND ?5`;
const LOOK_UP = `SELECT value AS at, content = substr(?3, value * 8 + 1, 8) AS same, unconfirmed
  FROM json_each(?4) CROSS JOIN documents AS d
  ON d.target = ?1 AND d.id = substr(?2, value * 8 + 1, 8)`;
const CONTENTS = `SELECT d.content FROM json_each(?3) CROSS JOIN documents AS d
  ON d.target = ?1 AND d.id = substr(?2, value * 8 + 1, 8) ORDER BY value`;

/**
 * Records, across all runs of a state folder, which monitoring accepted which sourceIds with which
 * content. It is built from the runs' journals when a run begins, and holds nothing else: so
 * nothing has to be written while documents are sent, and a killed run is included like any other.
 *
 * Ids and contents are 64-bit hashes. The probability that two of n ids collide is about n² ÷ 2⁶⁵;
 * the later document then shows as `changed`.
 */
export class LedgerFile {
  readonly #file: string;
  readonly #database: Database.Database;

  private constructor(file: string, mustExist: boolean) {
    this.#file = file;
    if (mustExist && !existsSync(file)) throw damaged(file, GONE_REASON);
    this.#database = this.#attempt(() => {
      makePrivateFile(file);
      return openSqlite(file, { timeout: BUSY_TIMEOUT_MS });
    });
    try {
      this.#attempt(() => this.#check(mustExist));
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /**
   * Opens or creates the file.
   * @param isReplaceable whether it may be rebuilt if it is damaged or missing
   * @throws JournalError
   */
  static open(file: string, { isReplaceable }: { readonly isReplaceable: boolean }): LedgerFile {
    try {
      return new LedgerFile(file, !isReplaceable);
    } catch (error) {
      if (!isReplaceable || !(error instanceof DamageError)) throw error;
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      return new LedgerFile(file, false);
    }
  }

  /** Returns whether it includes a run's journal in this version. */
  has(run: string, stamp: string): boolean {
    return this.#any('SELECT 1 AS one FROM runs WHERE run = ? AND stamp = ?', [run, stamp]);
  }

  /** Adds a run's journal. */
  addRun(stamp: string, journal: Journal): void {
    const target = targetNumber(journal.content.facts.description.target);
    const addAll = this.#database.transaction(() => {
      const run = this.#runNumber(journal.id);
      for (const { kind, hashes } of documentsIn(journal)) {
        const known = LEDGER_STATE[kind];
        const unconfirmed = Number(known === 'unconfirmed');
        const values = [
          target,
          Buffer.concat(hashes),
          unconfirmed,
          run,
          indexes(hashes.length / 2),
        ];
        this.#database.prepare(STATEMENTS[known]).run(values);
      }
      const sql = 'INSERT OR REPLACE INTO runs (number, run, stamp) VALUES (?, ?, ?)';
      this.#database.prepare(sql).run([run, journal.id, stamp]);
    });
    this.#attempt(() => addAll.immediate());
  }

  /** Returns whether some of a run's documents are unconfirmed and no later run has resolved them. */
  isUnconfirmed(run: string): boolean {
    const sql = `SELECT 1 AS one FROM documents WHERE unconfirmed = 1
      AND run = (SELECT number FROM runs WHERE run = ?) LIMIT 1`;
    return this.#any(sql, [run]);
  }

  /** Finds a run's unconfirmed documents that another run has resolved or sent since. */
  takenOver(journal: Journal): readonly TakenOver[] {
    const { target, options } = journal.content.facts.description;
    // A run that skips nothing sends what earlier runs have as well.
    const skips = Number(options['skipKnown'] !== false);
    const taken = new Map<string, TakenOver & { readonly records: RecordRange[] }>();
    for (const { kind, hashes, places } of documentsIn(journal)) {
      if (kind !== 'sending' && kind !== 'unknown') continue;
      const documents = [Buffer.concat(hashes), journal.id, indexes(places.length)];
      const values = [targetNumber(target), ...documents, skips];
      const rows = this.#attempt(() => this.#database.prepare(TAKEN_OVER).all(values));
      for (const { at, same } of rows as { at: number; same: number }[]) {
        const { intent, input, record } = places[at] as DocumentPlace;
        const key = `${kind} ${intent} ${same}`;
        const one = taken.get(key) ?? { kind, intent, isSame: same === 1, records: [] };
        one.records.push({ input, from: record, to: record });
        taken.set(key, one);
      }
    }
    return [...taken.values()];
  }

  /** Returns the ledger of one target; `undefined`, and closed, if it is empty. */
  of(target: RunTarget): Ledger | undefined {
    const number = targetNumber(target);
    if (!this.#any('SELECT 1 AS one FROM documents WHERE target = ? LIMIT 1', [number])) {
      this.close();
      return undefined;
    }
    const lookUp = this.#database.prepare(LOOK_UP);
    return {
      lookUp: async (range) => {
        const { idHashes, digests } = hashesOf(range);
        const values = [number, idHashes, digests, indexes(idHashes.byteLength / HASH_BYTES)];
        const rows = this.#attempt(() => lookUp.all(values) as LedgerStatusRow[]);
        return new Map(rows.map((row) => [row.at, knownIn(row)]));
      },
      contentsOf: (ranges) => {
        const idHashes = Buffer.concat(ranges.map((range) => hashesOf(range).idHashes));
        const values = [number, idHashes, indexes(idHashes.byteLength / HASH_BYTES)];
        const rows = this.#attempt(() => this.#database.prepare(CONTENTS).all(values));
        return Buffer.concat(
          (rows as { content: ArrayBuffer }[]).map(({ content }) => new Uint8Array(content)),
        );
      },
      close: async () => this.close(),
    };
  }

  /** Closes the file, if possible after a checkpoint of the write-ahead log. */
  close(): void {
    if (!this.#database.open) return;
    // libsql closes a file only when its statements are collected, and then without a checkpoint.
    try {
      this.#database.pragma('wal_checkpoint(PASSIVE)');
    } catch {}
    this.#database.close();
  }

  /**
   * Creates the tables of a new file.
   * @throws JournalError if the file is damaged or something else
   */
  #check(mustExist: boolean): void {
    const [found] = this.#database
      .prepare(
        `SELECT application_id AS format, (SELECT count(*) FROM sqlite_schema) AS tables
         FROM pragma_application_id`,
      )
      .all() as { format: number; tables: number }[];
    const { format = 0, tables = 0 } = found ?? {};
    const isNew = format === 0 && tables === 0;
    if (isNew && mustExist) throw damaged(this.#file, GONE_REASON);
    if (!isNew && format !== FORMAT) {
      if (format >> 8 === FORMAT >> 8) throw fromEarlierVersion(this.#file);
      throw damaged(this.#file, 'docferry did not write it');
    }
    this.#database.exec(SETTINGS);
    if (isNew) this.#database.exec(TABLES);
    // As a blob: libsql aborts the process (SIGABRT) on text that isn't UTF-8, which damage can cause.
    const [row] = this.#database
      .prepare('SELECT CAST(quick_check AS BLOB) AS result FROM pragma_quick_check(1)')
      .all() as { result: ArrayBuffer }[];
    const result = Buffer.from(row?.result ?? new ArrayBuffer(0)).toString();
    if (result !== 'ok') throw damaged(this.#file, result);
  }

  #runNumber(run: string): number {
    const sql = `SELECT coalesce((SELECT number FROM runs WHERE run = ?),
      (SELECT coalesce(max(number), 0) + 1 FROM runs)) AS number`;
    return (this.#database.prepare(sql).get([run]) as { number: number }).number;
  }

  #any(sql: string, values: readonly (string | number)[]): boolean {
    return this.#attempt(() => this.#database.prepare(sql).all(values).length > 0);
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw journalError(this.#file, error);
    }
  }
}

const GONE_REASON = 'it is missing or empty, and only it held what pruned runs had imported';

function targetNumber({ service, monitoring }: RunTarget): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([service, monitoring]))
    .digest();
  return hash.readUIntBE(0, 6);
}

const HASH_BYTES = 8;

function indexes(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => index));
}

const LEDGER_STATE = {
  accepted: 'accepted',
  sending: 'unconfirmed',
  unknown: 'unconfirmed',
  rejected: 'absent',
  unsent: 'absent',
} as const;

/** Documents in the same state; two hashes for each, of its sourceId and of its content. */
interface DocumentsInState {
  readonly kind: RecordState['kind'];
  readonly hashes: Uint8Array[];
  readonly places: DocumentPlace[];
}

interface DocumentPlace {
  readonly intent: number;
  readonly input: number;
  readonly record: number;
}

/** Documents of a run, in groups for one statement each. */
function* documentsIn(journal: Journal): Generator<DocumentsInState, void, undefined> {
  const { states } = journal.content;
  const found = new Map<RecordState['kind'], DocumentsInState>();
  for (const number of new Set([...states.entries()].map(([, { intent }]) => intent))) {
    const { records, ids, idHashes, digests } = journal.readIntent(number) as Intent;
    for (const { input, record, index } of recordsInOrder(records)) {
      const state = states.get(input, record);
      // A document without a sourceId can't be recognised.
      if (ids[index] === null || state?.intent !== number) continue;
      const { kind } = state;
      const group = found.get(kind) ?? { kind, hashes: [], places: [] };
      const [from, to] = [index * HASH_BYTES, (index + 1) * HASH_BYTES];
      group.hashes.push(idHashes.subarray(from, to), digests.subarray(from, to));
      group.places.push({ intent: number, input, record });
      found.set(kind, group);
      if (group.places.length < DOCUMENTS_PER_STATEMENT) continue;
      yield group;
      found.delete(kind);
    }
  }
  yield* found.values();
}

interface LedgerStatusRow {
  readonly at: number;
  readonly same: number;
  readonly unconfirmed: number;
}

function knownIn({ same, unconfirmed }: LedgerStatusRow): LedgerStatus {
  // The run that sent it isn't running: only one run at a time sends to a monitoring.
  if (unconfirmed) return same ? 'left-unconfirmed' : 'left-changed';
  return same ? 'same' : 'changed';
}

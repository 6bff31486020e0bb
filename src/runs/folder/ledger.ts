import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { RecordState, RecordStates } from '../../model/record-ranges.js';
import { recordsInOrder } from '../../model/record-ranges.js';
import type { RunTarget } from '../description.js';
import type { Hashes, Intent, Known, Ledger } from '../store.js';
import { DamageError } from './damage.js';
import { asBytes, type DatabaseForm, DurableDatabase } from './database.js';
import type { Journal } from './journal.js';

const FORM: DatabaseForm = {
  script: `
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
);`,
  // "dfl", and the version.
  applicationId: 0x64_66_6c_02,
  // Its documents are written all over it.
  cacheKiB: 64 * 1024,
};

/** Documents that are added by one statement: fewer take twice as long, more take no less. */
const MAX_TOGETHER = 20_000;

/** It goes by hashes alone. */
export interface HashedLedger extends Pick<Ledger, 'close'> {
  lookUp(hashes: Hashes): ReturnType<Ledger['lookUp']>;
}

/**
 * Across all runs of a state folder: which sourceIds were accepted by which monitoring, and with
 * which content. It is made from the runs' journals when a run begins, and holds nothing that they
 * don't: so there is nothing to write while documents are sent, and a run that was killed is taken
 * in like any other.
 *
 * Ids and contents are 64-bit hashes. For two different ids to have the same one, among n, has a
 * probability of about n² ÷ 2⁶⁵; the later document then shows as `changed`.
 */
export class LedgerFile {
  readonly #database: DurableDatabase;

  private constructor(database: DurableDatabase) {
    this.#database = database;
  }

  /**
   * Opens the file, or makes it.
   * @param isReplaceable whether it may be made again where it is damaged or gone
   * @throws JournalError
   */
  static open(file: string, { isReplaceable }: { readonly isReplaceable: boolean }): LedgerFile {
    try {
      return new LedgerFile(new DurableDatabase(file, FORM, { mustExist: !isReplaceable }));
    } catch (error) {
      if (!isReplaceable || !(error instanceof DamageError)) throw error;
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      return new LedgerFile(new DurableDatabase(file, FORM));
    }
  }

  /** Whether a run was taken in when its journal looked like this. */
  has(run: string, stamp: string): boolean {
    const sql = `SELECT ${asBytes('stamp')} FROM runs WHERE run = ?`;
    const [row] = this.#database.all<{ stamp: ArrayBuffer }>(sql, [run]);
    return row !== undefined && Buffer.from(row.stamp).toString() === stamp;
  }

  /** Takes in what a run's journal says, unless it was not to be remembered. */
  takeIn(stamp: string, journal: Journal): void {
    const { facts, states } = journal.content;
    const { description } = facts;
    if (description === undefined || description.options['ledger'] === false) return;
    const run = this.#numberOf(journal.id);
    const target = numberOf(description.target);
    const intents = new Set([...states.entries()].map(([, { intent }]) => intent));
    this.#database.transaction(() => {
      const group = new Group();
      for (const intent of intents) {
        const written = journal.intentNow(intent);
        if (written !== undefined) group.add(intent, written, states);
        if (group.documents >= MAX_TOGETHER) this.#addGroup({ target, run }, group);
      }
      this.#addGroup({ target, run }, group);
      const sql = 'INSERT OR REPLACE INTO runs (number, run, stamp) VALUES (?, ?, ?)';
      this.#database.run(sql, [run, journal.id, stamp]);
    });
  }

  /** Whether a document that a run sent is unconfirmed, and no other run knows better. */
  isUnconfirmed(run: string): boolean {
    const sql = `SELECT 1 AS one FROM documents WHERE unconfirmed = 1
      AND run = (SELECT number FROM runs WHERE run = ?) LIMIT 1`;
    return this.#database.all(sql, [run]).length > 0;
  }

  /** The same of one target. */
  of(target: RunTarget): HashedLedger & { readonly isEmpty: boolean } {
    const number = numberOf(target);
    const any = 'SELECT 1 AS one FROM documents WHERE target = ? LIMIT 1';
    return {
      isEmpty: this.#database.all(any, [number]).length === 0,
      lookUp: async (hashes) => this.#lookUp(number, hashes),
      close: async () => this.close(),
    };
  }

  close(): void {
    this.#database.close();
  }

  /** Gives what is known by the documents' indexes, in ascending order. */
  #lookUp(target: number, { idHashes, digests }: Hashes): ReadonlyMap<number, Known> {
    const indexes = Array.from({ length: idHashes.byteLength / 8 }, (_, index) => index);
    const rows = this.#database.all<KnownRow>(
      `SELECT value AS at, content = substr(?3, value * 8 + 1, 8) AS same, unconfirmed
       FROM json_each(?1) CROSS JOIN documents AS d
       ON d.target = ?4 AND d.id = substr(?2, value * 8 + 1, 8)`,
      [JSON.stringify(indexes), idHashes, digests, target],
    );
    return new Map(rows.map((row) => [row.at, knownIn(row)]));
  }

  /** The number under which a run is, or will be, remembered. */
  #numberOf(run: string): number {
    const [row] = this.#database.all<{ number: number }>(
      `SELECT coalesce((SELECT number FROM runs WHERE run = ?),
       (SELECT coalesce(max(number), 0) + 1 FROM runs)) AS number`,
      [run],
    );
    return (row as { number: number }).number;
  }

  #addGroup(
    { target, run }: { readonly target: number; readonly run: number },
    group: Group,
  ): void {
    const { idHashes, digests, accepted, unconfirmed, none } = group.take();
    // Blobs are taken apart by the database: a call a document would take several times as long.
    const add = `INSERT OR REPLACE INTO documents (target, id, content, unconfirmed, run)
       SELECT ?1, substr(?2, value * 8 + 1, 8), substr(?3, value * 8 + 1, 8),
       CAST(?4 AS INTEGER), ?5 FROM json_each(?6)`;
    const values = [target, idHashes, digests] as const;
    this.#database.run(add, [...values, 0, run, JSON.stringify(accepted)]);
    // What is known to be there stays so, whatever a later run was unsure of. What was unconfirmed
    // is the later run's from then on: that may have taken it over, and sent it again.
    const addUnconfirmed = `${add.replace(' OR REPLACE', '')} WHERE true
       ON CONFLICT (target, id) DO UPDATE SET content = excluded.content, run = excluded.run
       WHERE documents.unconfirmed = 1`;
    this.#database.run(addUnconfirmed, [...values, 1, run, JSON.stringify(unconfirmed)]);
    this.#database.run(
      `DELETE FROM documents WHERE target = ?1 AND run = ?3 AND unconfirmed = 1
       AND id IN (SELECT substr(?2, value * 8 + 1, 8) FROM json_each(?4))`,
      [target, idHashes, run, JSON.stringify(none)],
    );
  }
}

/** A target as 48 bits of its hash. */
function numberOf({ service, monitoring }: RunTarget): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([service, monitoring]))
    .digest();
  return hash.readUIntBE(0, 6);
}

/** Documents of several requests, side by side. */
class Group {
  documents = 0;
  #idHashes: Uint8Array[] = [];
  #digests: Uint8Array[] = [];
  #accepted: number[] = [];
  #unconfirmed: number[] = [];
  #none: number[] = [];

  add(
    intent: number,
    { records, ids, idHashes, digests }: Intent,
    states: RecordStates<RecordState>,
  ): void {
    for (const { input, record, index } of recordsInOrder(records)) {
      // Without a sourceId, a document can't be known again.
      if (ids[index] === null) continue;
      const state = states.get(input, record);
      if (state?.intent === intent) this.#indexesFor(state.kind).push(this.documents + index);
    }
    this.#idHashes.push(idHashes);
    this.#digests.push(digests);
    this.documents += ids.length;
  }

  /** Gives all of them, and begins anew. */
  take(): Hashes & Readonly<Record<'accepted' | 'unconfirmed' | 'none', readonly number[]>> {
    const taken = {
      idHashes: Buffer.concat(this.#idHashes),
      digests: Buffer.concat(this.#digests),
      accepted: this.#accepted,
      unconfirmed: this.#unconfirmed,
      none: this.#none,
    };
    this.documents = 0;
    [this.#idHashes, this.#digests] = [[], []];
    [this.#accepted, this.#unconfirmed, this.#none] = [[], [], []];
    return taken;
  }

  #indexesFor(kind: RecordState['kind']): number[] {
    if (kind === 'accepted') return this.#accepted;
    return kind === 'sending' || kind === 'unknown' ? this.#unconfirmed : this.#none;
  }
}

interface KnownRow {
  readonly at: number;
  readonly same: number;
  readonly unconfirmed: number;
}

function knownIn({ same, unconfirmed }: KnownRow): Known {
  // No process has the run that sent it: only one at a time sends to a monitoring.
  if (unconfirmed) return 'left-unconfirmed';
  return same ? 'same' : 'changed';
}

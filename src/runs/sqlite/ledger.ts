import type { RecordState, RecordStates } from '../../model/record-ranges.js';
import { recordsInOrder } from '../../model/record-ranges.js';
import type { RunDescription, RunTarget } from '../description.js';
import type { Hashes, Intent, Known, Ledger } from '../store.js';
import { damaged, rowCheck } from './damage.js';
import { asBytes, asInteger, type DatabaseForm, DurableDatabase } from './database.js';
import { readIntent, readStates } from './entries.js';
import { readFact } from './facts.js';

const FORM: DatabaseForm = {
  // `twin` and `row_check` tell whether a row is what was written; `size` whether all rows are there.
  script: `
CREATE TABLE IF NOT EXISTS targets (
  target INTEGER PRIMARY KEY,
  service TEXT NOT NULL,
  monitoring INTEGER NOT NULL,
  row_check INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS runs (
  number INTEGER PRIMARY KEY,
  run TEXT NOT NULL UNIQUE,
  stamp TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS documents (
  target INTEGER NOT NULL,
  id BLOB NOT NULL,
  content BLOB NOT NULL,
  in_doubt INTEGER NOT NULL,
  run INTEGER NOT NULL,
  twin BLOB NOT NULL,
  PRIMARY KEY (target, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS size (targets INTEGER NOT NULL, documents INTEGER NOT NULL);
INSERT INTO size SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM size);`,
  // "dfl", and the version.
  applicationId: 0x64_66_6c_01,
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

  /** @throws JournalError, also if it isn't what was written */
  constructor(file: string) {
    this.#database = new DurableDatabase(file, FORM);
    try {
      this.#database.check();
      this.#checkRows();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Whether a run was taken in when its files looked like this. */
  has(run: string, stamp: string): boolean {
    const sql = `SELECT ${asBytes('stamp')} FROM runs WHERE run = ?`;
    const [row] = this.#database.all<{ stamp: ArrayBuffer }>(sql, [run]);
    return row !== undefined && Buffer.from(row.stamp).toString() === stamp;
  }

  /** Takes in what a run's journal says, unless it was not to be remembered. */
  takeIn(
    { run, stamp }: { readonly run: string; readonly stamp: string },
    journal: DurableDatabase,
  ): void {
    const description = readFact<RunDescription>(journal, 'description');
    if (description === undefined || description.options['ledger'] === false) return;
    const number = this.#numberOf(run);
    const states = readStates(journal);
    const intents = new Set([...states.entries()].map(([, { intent }]) => intent));
    this.#database.transaction(() => {
      const target = this.#targetOf(description.target);
      const group = new Group();
      for (const intent of intents) {
        const written = readIntent(journal, intent);
        if (written !== undefined) group.add(intent, written, states);
        if (group.documents >= MAX_TOGETHER) this.#addGroup({ target, number }, group);
      }
      this.#addGroup({ target, number }, group);
      const values = [number, run, stamp];
      this.#database.run(
        'INSERT OR REPLACE INTO runs (number, run, stamp) VALUES (?, ?, ?)',
        values,
      );
      this.#noteSize();
    });
  }

  /** Whether a document that a run sent is unconfirmed, and no other run knows better. */
  isUnconfirmed(run: string): boolean {
    const sql = `SELECT 1 AS one FROM documents WHERE in_doubt = 1
      AND run = (SELECT number FROM runs WHERE run = ?) LIMIT 1`;
    return this.#database.all(sql, [run]).length > 0;
  }

  /** From now on it is never empty again. */
  seal(): void {
    this.#database.seal();
  }

  /** The same of one target, for a run that sends to it. */
  of(target: RunTarget): HashedLedger {
    return {
      lookUp: async (hashes) => this.lookUp(target, hashes),
      close: async () => this.close(),
    };
  }

  /** Whether nothing is known of a monitoring's documents, so that there is nothing to look up. */
  knowsNothingOf(target: RunTarget): boolean {
    const number = this.#findTarget(target);
    if (number === undefined) return true;
    return (
      this.#database.all('SELECT 1 AS one FROM documents WHERE target = ? LIMIT 1', [number])
        .length === 0
    );
  }

  /**
   * Looks documents up.
   * @returns for each that is known its index, from 0, in ascending order
   */
  lookUp(target: RunTarget, hashes: Hashes): ReadonlyMap<number, Known> {
    const rows = this.#database.all<KnownRow>(
      `SELECT value AS at, content = substr(?3, value * 8 + 1, 8) AS same, in_doubt AS unconfirmed
       FROM json_each(?1) CROSS JOIN documents AS d
       ON d.target = ?4 AND d.id = substr(?2, value * 8 + 1, 8)`,
      [
        indexesText(everyIndex(hashes)),
        hashes.idHashes,
        hashes.digests,
        this.#findTarget(target) ?? null,
      ],
    );
    return new Map(rows.map((row) => [row.at, knownIn(row)]));
  }

  close(): void {
    this.#database.close();
  }

  /**
   * Makes sure that every row is what was written, that it is found where it belongs, and that none
   * is missing: what the ledger lost would be sent again. A million documents take a second.
   */
  #checkRows(): void {
    const [found] = this.#database.all<{ bad: number }>(
      `SELECT count(*) AS bad FROM documents AS d WHERE twin IS NOT ${TWIN}
       OR NOT EXISTS (SELECT 1 FROM documents AS f WHERE f.target = d.target AND f.id = d.id)`,
    );
    const [size] = this.#database.all<{ whole: number }>(
      `SELECT count(*) AS whole FROM size WHERE documents = (SELECT count(*) FROM documents)
       AND targets = (SELECT count(*) FROM targets)`,
    );
    const targets = this.#database.all<TargetRow>(
      `SELECT ${asInteger('target')}, ${asBytes('service')}, ${asInteger('monitoring')},
       ${asInteger('row_check')} FROM targets`,
    );
    const isWhole = found?.bad === 0 && size?.whole === 1 && targets.every(isAsWritten);
    if (!isWhole) throw damaged(this.#database.file, 'its rows are not what was written');
  }

  /** Within the transaction that adds to it. */
  #noteSize(): void {
    this.#database.run(
      `UPDATE size SET documents = (SELECT count(*) FROM documents),
       targets = (SELECT count(*) FROM targets)`,
    );
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
    { target, number }: { readonly target: number; readonly number: number },
    group: Group,
  ): void {
    const { idHashes, digests, accepted, unconfirmed, none } = group.take();
    // Blobs are taken apart by the database: a call a document would take several times as long.
    const add = `INSERT OR REPLACE INTO documents (target, id, content, in_doubt, run, twin)
       SELECT *, ${TWIN} FROM (
         SELECT ?1, substr(?2, value * 8 + 1, 8) AS id, substr(?3, value * 8 + 1, 8) AS content,
         CAST(?4 AS INTEGER) AS in_doubt, ?5 FROM json_each(?6))`;
    const values = [target, idHashes, digests] as const;
    this.#database.run(add, [...values, 0, number, indexesText(accepted)]);
    // What is known to be there stays so, whatever a later run was unsure of. What was unconfirmed
    // is the later run's from then on: that may have taken it over, and sent it again.
    const addUnconfirmed = `${add.replace(' OR REPLACE', '')} WHERE true
       ON CONFLICT (target, id) DO UPDATE
       SET content = excluded.content, run = excluded.run, twin = excluded.twin
       WHERE documents.in_doubt = 1`;
    this.#database.run(addUnconfirmed, [...values, 1, number, indexesText(unconfirmed)]);
    this.#database.run(
      `DELETE FROM documents WHERE target = ?1 AND run = ?3 AND in_doubt = 1
       AND id IN (SELECT substr(?2, value * 8 + 1, 8) FROM json_each(?4))`,
      [target, idHashes, number, indexesText(none)],
    );
  }

  /** The number under which a target is remembered; `undefined` if it isn't. */
  #findTarget({ service, monitoring }: RunTarget): number | undefined {
    const sql = `SELECT ${asInteger('target')} FROM targets WHERE service = ? AND monitoring = ?`;
    return this.#database.all<{ target: number }>(sql, [service, monitoring])[0]?.target;
  }

  /** The same, and makes it so. Within a transaction. */
  #targetOf(target: RunTarget): number {
    const known = this.#findTarget(target);
    if (known !== undefined) return known;
    const [row] = this.#database.all<{ next: number }>(
      'SELECT coalesce(max(target), 0) + 1 AS next FROM targets',
    );
    const { service, monitoring } = target;
    const values = [(row as { next: number }).next, service, monitoring];
    this.#database.run(
      'INSERT INTO targets (target, service, monitoring, row_check) VALUES (?, ?, ?, ?)',
      [...values, rowCheck(values)],
    );
    return values[0] as number;
  }
}

/** What a document's row holds, a second time. */
const TWIN = 'CAST(in_doubt || content || id AS BLOB)';

interface TargetRow {
  readonly target: number;
  readonly service: ArrayBuffer;
  readonly monitoring: number;
  readonly row_check: number;
}

function isAsWritten({ target, service, monitoring, row_check: check }: TargetRow): boolean {
  return rowCheck([target, new Uint8Array(service), monitoring]) === check;
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

function everyIndex({ idHashes }: Hashes): readonly number[] {
  return Array.from({ length: idHashes.byteLength / 8 }, (_, index) => index);
}

function indexesText(indexes: readonly number[]): string {
  return `[${indexes.join(',')}]`;
}

import path from 'node:path';
import type { RecordRange } from '../record-ranges.js';
import { DurableDatabase } from './database.js';
import type { RunTarget } from './description.js';
import type { Intent } from './entries.js';
import { type Journal, type RecordState, recordsInOrder } from './journal.js';
import { listRuns, lookAtRun, runStamp } from './run-folders.js';

/** What the ledger knows of a document that is about to be sent. */
export type Known =
  /** Accepted before, with the same content. */
  | 'same'
  /** Accepted before, with other content. */
  | 'changed'
  /** Sent before, and nobody knows yet whether it was accepted. */
  | 'in-doubt';

/** Documents to look up: eight bytes each for the hash of the sourceId and that of the content. */
export interface Hashes {
  readonly idHashes: Uint8Array;
  readonly digests: Uint8Array;
}

const TABLES = `
CREATE TABLE IF NOT EXISTS targets (
  target INTEGER PRIMARY KEY,
  service TEXT NOT NULL,
  monitoring INTEGER NOT NULL,
  UNIQUE (service, monitoring)
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
  PRIMARY KEY (target, id)
) WITHOUT ROWID;`;

/** Its documents are written all over it. */
const CACHE_KIB = 64 * 1024;

/** Documents that are added by one statement: fewer take twice as long, more take no less. */
const MOST_TOGETHER = 20_000;

/**
 * Across all runs of a state folder: which sourceIds were accepted by which monitoring, and with
 * which content. It is made from the runs' journals when a run begins, and holds nothing that they
 * don't: so there is nothing to write while documents are sent, and a run that was killed is taken
 * in like any other.
 *
 * Ids and contents are 64-bit hashes. For two different ids to have the same one, among n, has a
 * probability of about n² ÷ 2⁶⁵; the later document then shows as `changed`.
 */
export class Ledger {
  readonly #stateDir: string;
  readonly #database: DurableDatabase;

  /** @throws JournalError */
  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    this.#database = new DurableDatabase(path.join(stateDir, 'ledger.db'), TABLES, CACHE_KIB);
  }

  /**
   * Takes in what journals say that the ledger doesn't know yet, but for runs that were not to be
   * remembered.
   * @param except a run that is under way in this process
   */
  takeInAll(except?: string): void {
    for (const run of listRuns(this.#stateDir)) {
      // Before it is opened, which itself may touch its files.
      const stamp = runStamp(this.#stateDir, run);
      if (run === except || this.#stampOf(run) === stamp) continue;
      lookAtRun(this.#stateDir, run, (journal) => this.#takeIn({ run, stamp }, journal));
    }
  }

  /** Whether nothing is known of a monitoring's documents, so that there is nothing to look up. */
  knowsNothingOf(target: RunTarget): boolean {
    const sql = 'SELECT 1 AS one FROM documents WHERE target = ? LIMIT 1';
    return this.#database.all(sql, [this.#targetOf(target)]).length === 0;
  }

  /**
   * Looks documents up.
   * @returns for each that is known its index, from 0, in ascending order
   */
  lookUp(target: RunTarget, hashes: Hashes): ReadonlyMap<number, Known> {
    const rows = this.#database.all<{ at: number; same: number; doubt: number }>(
      `SELECT value AS at, content = substr(?3, value * 8 + 1, 8) AS same, in_doubt AS doubt
       FROM json_each(?1) CROSS JOIN documents AS d
       ON d.target = ?4 AND d.id = substr(?2, value * 8 + 1, 8)`,
      [indexesText(everyIndex(hashes)), hashes.idHashes, hashes.digests, this.#targetOf(target)],
    );
    return new Map(
      rows.map(({ at, same, doubt }) => [at, doubt ? 'in-doubt' : same ? 'same' : 'changed']),
    );
  }

  close(): void {
    this.#database.close();
  }

  #takeIn(
    { run, stamp }: { readonly run: string; readonly stamp: string },
    journal: Journal,
  ): void {
    const { description } = journal;
    if (description === undefined || description.options['ledger'] === false) return;
    const number = this.#numberOf(run);
    const states = [...journal.states().entries()];
    this.#database.transaction(() => {
      const target = this.#targetOf(description.target);
      const group = new Group();
      for (const [intent, parts] of byIntent(states)) {
        const written = journal.intent(intent);
        if (written !== undefined) group.add(written, parts);
        if (group.documents >= MOST_TOGETHER) this.#addGroup({ target, number }, group);
      }
      this.#addGroup({ target, number }, group);
      const values = [number, run, stamp];
      this.#database.run(
        'INSERT OR REPLACE INTO runs (number, run, stamp) VALUES (?, ?, ?)',
        values,
      );
    });
  }

  /** What a run's files looked like when it was taken in; `undefined` if it never was. */
  #stampOf(run: string): string | undefined {
    const rows = this.#database.all<{ stamp: string }>('SELECT stamp FROM runs WHERE run = ?', [
      run,
    ]);
    return rows[0]?.stamp;
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
    const { idHashes, digests, accepted, doubtful, none } = group.take();
    // Blobs are taken apart by the database: a call a document would take several times as long.
    const add = `INSERT OR REPLACE INTO documents (target, id, content, in_doubt, run)
       SELECT ?1, substr(?2, value * 8 + 1, 8), substr(?3, value * 8 + 1, 8), ?4, ?5
       FROM json_each(?6)`;
    const values = [target, idHashes, digests] as const;
    this.#database.run(add, [...values, 0, number, indexesText(accepted)]);
    // What is known to be there stays so, whatever a later run was unsure of.
    const addDoubt = add.replace('OR REPLACE', 'OR IGNORE');
    this.#database.run(addDoubt, [...values, 1, number, indexesText(doubtful)]);
    this.#database.run(
      `DELETE FROM documents WHERE target = ?1 AND run = ?3 AND in_doubt = 1
       AND id IN (SELECT substr(?2, value * 8 + 1, 8) FROM json_each(?4))`,
      [target, idHashes, number, indexesText(none)],
    );
  }

  #targetOf({ service, monitoring }: RunTarget): number {
    const values = [service, monitoring];
    this.#database.run('INSERT OR IGNORE INTO targets (service, monitoring) VALUES (?, ?)', values);
    const [row] = this.#database.all<{ target: number }>(
      'SELECT target FROM targets WHERE service = ? AND monitoring = ?',
      values,
    );
    return (row as { target: number }).target;
  }
}

type Part = readonly [RecordRange, RecordState];

/** Documents of several requests, side by side. */
class Group {
  documents = 0;
  #idHashes: Uint8Array[] = [];
  #digests: Uint8Array[] = [];
  #accepted: number[] = [];
  #doubtful: number[] = [];
  #none: number[] = [];

  add(intent: Intent, parts: readonly Part[]): void {
    for (const { input, record, index } of recordsInOrder(intent.records)) {
      // Without a sourceId, a document can't be known again.
      if (intent.ids[index] === null) continue;
      const kind = parts.find(([range]) => holds(range, input, record))?.[1].kind;
      if (kind !== undefined) this.#indexesFor(kind).push(this.documents + index);
    }
    this.#idHashes.push(intent.idHashes);
    this.#digests.push(intent.digests);
    this.documents += intent.ids.length;
  }

  /** Gives all of them, and begins anew. */
  take(): Hashes & Readonly<Record<'accepted' | 'doubtful' | 'none', readonly number[]>> {
    const taken = {
      idHashes: Buffer.concat(this.#idHashes),
      digests: Buffer.concat(this.#digests),
      accepted: this.#accepted,
      doubtful: this.#doubtful,
      none: this.#none,
    };
    this.documents = 0;
    [this.#idHashes, this.#digests] = [[], []];
    [this.#accepted, this.#doubtful, this.#none] = [[], [], []];
    return taken;
  }

  #indexesFor(kind: RecordState['kind']): number[] {
    if (kind === 'accepted') return this.#accepted;
    return kind === 'sending' || kind === 'unknown' ? this.#doubtful : this.#none;
  }
}

function holds({ input, from, to }: RecordRange, ofInput: number, record: number): boolean {
  return input === ofInput && from <= record && record <= to;
}

/** The states of records, by the intent that they come from. */
function byIntent(states: readonly Part[]): Map<number, Part[]> {
  const found = new Map<number, Part[]>();
  for (const part of states) {
    const parts = found.get(part[1].intent) ?? [];
    parts.push(part);
    found.set(part[1].intent, parts);
  }
  return found;
}

function everyIndex({ idHashes }: Hashes): readonly number[] {
  return Array.from({ length: idHashes.byteLength / 8 }, (_, index) => index);
}

function indexesText(indexes: readonly number[]): string {
  return `[${indexes.join(',')}]`;
}

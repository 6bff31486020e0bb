import path from 'node:path';
import type { RecordRange } from '../record-ranges.js';
import { DurableDatabase } from './database.js';
import type { RunTarget } from './description.js';
import type { Intent } from './entries.js';
import { type Journal, type RecordState, recordsInOrder } from './journal.js';
import { listRuns, lookAtRun } from './run-folders.js';

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
CREATE TABLE IF NOT EXISTS documents (
  target INTEGER NOT NULL,
  id INTEGER NOT NULL,
  content INTEGER NOT NULL,
  in_doubt INTEGER NOT NULL,
  run TEXT NOT NULL,
  PRIMARY KEY (target, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (run TEXT PRIMARY KEY, entry INTEGER NOT NULL) WITHOUT ROWID;`;

/**
 * Across all runs of a state folder: which sourceIds were accepted by which monitoring, and with
 * which content. It is made from the runs' journals and holds nothing that they don't: so there is
 * nothing to write while documents are sent, and a run that was killed is taken in by the next one.
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
    this.#database = new DurableDatabase(path.join(stateDir, 'ledger.db'), TABLES);
  }

  /**
   * Takes in what journals say that the ledger doesn't know yet.
   * @param except a run that is under way in this process
   */
  takeInAll(except?: string): void {
    for (const run of listRuns(this.#stateDir)) {
      if (run !== except) lookAtRun(this.#stateDir, run, (journal) => this.takeIn(run, journal));
    }
  }

  /** Takes in one run. */
  takeIn(run: string, journal: Journal): void {
    const { description } = journal;
    const [taken] = this.#database.all<{ entry: number }>('SELECT entry FROM runs WHERE run = ?', [
      run,
    ]);
    if (description === undefined || taken?.entry === journal.lastEntry) return;
    const states = [...journal.states().entries()];
    this.#database.transaction(() => {
      const target = this.#targetOf(description.target);
      for (const [intent, parts] of byIntent(states)) {
        const written = journal.intent(intent);
        if (written !== undefined) this.#takeInIntent({ target, run }, written, parts);
      }
      const values = [run, journal.lastEntry];
      this.#database.run('INSERT OR REPLACE INTO runs (run, entry) VALUES (?, ?)', values);
    });
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
    const rows = this.#database.all<{ at: number; content: number; doubt: number }>(
      `SELECT e.key AS at, d.content = (e.value ->> 1) AS content, d.in_doubt AS doubt
       FROM json_each(?) e CROSS JOIN documents d ON d.target = ? AND d.id = (e.value ->> 0)
       ORDER BY e.key`,
      [pairsText(hashes, everyIndex(hashes)), this.#targetOf(target)],
    );
    return new Map(
      rows.map(({ at, content, doubt }) => [at, doubt ? 'in-doubt' : content ? 'same' : 'changed']),
    );
  }

  close(): void {
    this.#database.close();
  }

  #takeInIntent(
    { target, run }: { readonly target: number; readonly run: string },
    intent: Intent,
    parts: readonly Part[],
  ): void {
    const accepted = indexesIn(intent, parts, ['accepted']);
    const doubtful = indexesIn(intent, parts, ['sending', 'unknown']);
    const none = indexesIn(intent, parts, ['rejected', 'unsent']);
    const add = `INSERT OR REPLACE INTO documents (target, id, content, in_doubt, run)
       SELECT ?1, value ->> 0, value ->> 1, ?2, ?3 FROM json_each(?4)`;
    this.#database.run(`${add} WHERE true ORDER BY 2`, [
      target,
      0,
      run,
      pairsText(intent, accepted),
    ]);
    // What is known to be there stays so, whatever a later run was unsure of.
    const addDoubt = add.replace('OR REPLACE', 'OR IGNORE');
    this.#database.run(addDoubt, [target, 1, run, pairsText(intent, doubtful)]);
    this.#database.run(
      `DELETE FROM documents WHERE target = ? AND run = ? AND in_doubt = 1
       AND id IN (SELECT value ->> 0 FROM json_each(?))`,
      [target, run, pairsText(intent, none)],
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

/** Indexes of an intent's documents whose records are in one of some states. */
function indexesIn(
  intent: Intent,
  parts: readonly Part[],
  kinds: readonly RecordState['kind'][],
): readonly number[] {
  const wanted = parts.filter(([, { kind }]) => kinds.includes(kind)).map(([range]) => range);
  if (wanted.length === 0) return [];
  return [...recordsInOrder(intent.records)]
    .filter(({ input, record }) =>
      wanted.some((range) => range.input === input && range.from <= record && record <= range.to),
    )
    .map(({ index }) => index)
    .filter((index) => intent.ids[index] !== null);
}

function everyIndex({ idHashes }: Hashes): readonly number[] {
  return Array.from({ length: idHashes.byteLength / 8 }, (_, index) => index);
}

/** `[[id, content], …]` as signed 64-bit numbers, which SQLite reads from JSON as they are. */
function pairsText({ idHashes, digests }: Hashes, indexes: readonly number[]): string {
  const ids = viewOf(idHashes);
  const contents = viewOf(digests);
  const pairs = indexes.map(
    (index) => `[${ids.getBigInt64(index * 8, true)},${contents.getBigInt64(index * 8, true)}]`,
  );
  return `[${pairs.join(',')}]`;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

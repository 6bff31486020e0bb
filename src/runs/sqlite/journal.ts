import type { JournalError } from '../../model/errors.js';
import { countRecords, type RecordRange } from '../../model/record-ranges.js';
import type { OutputMark } from '../../outputs/output-file.js';
import { type DatabaseForm, DurableDatabase } from './database.js';
import type { RunDescription } from './description.js';
import {
  addIntent,
  addSettlement,
  ENTRIES_TABLES,
  type Intent,
  type JournalEnd,
  type JournalOutcome,
  type NewIntent,
  readEnd,
  readEntries,
  readIntent,
  type Settlement,
} from './entries.js';
import { FACTS_TABLE, readFact, removeFact, writeFact } from './facts.js';
import { damaged } from './failures.js';
import { addMended, MENDED_TABLE, readMended } from './mended.js';
import { RecordStates } from './record-states.js';

/** What the journal knows of a record. */
export interface RecordState {
  /** `sending`: a request was about to be made, and nothing says what came of it. */
  readonly kind: 'sending' | JournalOutcome;
  /** Number of the last request's intent. */
  readonly intent: number;
  readonly message: string;
  /** When that was written, in milliseconds since 1970. */
  readonly atMs: number;
}

/** What is queued, to be written with the next commit. */
interface Waiting {
  readonly write: (end: JournalEnd) => JournalEnd;
  /** Who waits for it to be on the disk; nobody waits for an outcome. */
  readonly durable?: {
    readonly resolve: (number: number) => void;
    readonly reject: (error: unknown) => void;
  };
}

const FORM: DatabaseForm = {
  script: FACTS_TABLE + ENTRIES_TABLES + MENDED_TABLE,
  // "dfj", and the version.
  applicationId: 0x64_66_6a_01,
  // It is only written at its end.
  cacheKiB: 2 * 1024,
};

/** How long an outcome may wait for an intent to be written with. */
const OUTCOMES_WAIT_MS = 200;

/**
 * The journal of one run: what is about to be sent, durably, before it is sent; and what became of
 * it. Entries are only added. What comes within one turn of the event loop is one commit, and those
 * that come while the disk is busy wait for it together; the thread goes on meanwhile.
 */
export class Journal {
  readonly #database: DurableDatabase;
  readonly #waiting: Waiting[] = [];
  #end: JournalEnd;
  #scheduled = false;
  #later: NodeJS.Timeout | undefined;
  #failure: JournalError | undefined;

  /**
   * Opens the file, or makes it.
   * @throws JournalError
   */
  constructor(file: string) {
    this.#database = new DurableDatabase(file, FORM);
    this.#end = readEnd(this.#database);
  }

  /** What the run is; `undefined` if it ended before that could be written. */
  get description(): RunDescription | undefined {
    return readFact(this.#database, 'description');
  }

  /** The run that it was begun for; `undefined` as with the description. */
  get run(): string | undefined {
    return readFact(this.#database, 'run');
  }

  /** Says for which run it is begun, and what that is. From then on, it can't be empty. */
  begin(run: string, description: RunDescription): void {
    this.#database.transaction(() => {
      writeFact(this.#database, 'run', run);
      writeFact(this.#database, 'description', description);
    });
    this.#database.seal();
  }

  /**
   * Makes sure that it is what was written, but for what stood at its end.
   * @throws JournalError if it isn't
   */
  check(): void {
    this.#database.check();
    for (const { entry, kind } of readEntries(this.#database)) {
      if (kind === 'intent' && this.intent(entry) === undefined) {
        throw damaged(this.#database.file, `its request ${entry} is missing`);
      }
    }
    this.mended();
  }

  /** The last report of the run; `undefined` if it was cut off, or is under way. */
  get report(): unknown {
    return readFact(this.#database, 'report');
  }

  set report(report: unknown) {
    this.flush();
    writeFact(this.#database, 'report', report);
  }

  /** The files that the run has written for its user, as it left them. */
  get outputs(): readonly OutputMark[] {
    return readFact(this.#database, 'outputs') ?? [];
  }

  set outputs(outputs: readonly OutputMark[]) {
    writeFact(this.#database, 'outputs', outputs);
  }

  /** What refusals of several documents turned out to mean; `undefined`: that isn't known. */
  get refusals(): 'atomic' | 'partial' | undefined {
    return readFact(this.#database, 'refusals');
  }

  set refusals(meaning: 'atomic' | 'partial') {
    writeFact(this.#database, 'refusals', meaning);
  }

  /**
   * The run goes on: what the last report said no longer holds. From now on a file that is copied
   * without its log doesn't say so either.
   */
  reopen(): void {
    removeFact(this.#database, 'report');
    this.#database.seal();
  }

  /**
   * Resolves with the intent's number once it is on the disk.
   * @throws JournalError (rejects) if it can't be written, now and from then on
   */
  intend(intent: NewIntent): Promise<number> {
    return new Promise((resolve, reject) => {
      const write = (end: JournalEnd): JournalEnd =>
        addIntent(this.#database, end, intent, Date.now());
      this.#waiting.push({ write, durable: { resolve, reject } });
      this.#schedule();
    });
  }

  /** Writes down what became of documents: soon, and at the latest with the next intent. */
  settle(settlement: Settlement): void {
    // An acknowledgement must not be written as later than it came.
    const atMs = Date.now();
    const write = (end: JournalEnd): JournalEnd =>
      addSettlement(this.#database, end, settlement, atMs);
    // That it can't be written shows with the next intent, or at the end.
    this.#waiting.push({ write });
    this.#later ??= setTimeout(() => this.#writeAll(), OUTCOMES_WAIT_MS);
  }

  /**
   * Writes what waits.
   * @throws JournalError if that fails, or failed before
   */
  flush(): void {
    this.#writeAll();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * The state of every record that was to be sent.
   * @throws JournalError also if an entry isn't what was written
   */
  states(): RecordStates<RecordState> {
    this.flush();
    const states = new RecordStates<RecordState>();
    for (const { kind, intent, records, message, atMs } of readEntries(this.#database)) {
      const state = {
        kind: kind === 'intent' ? ('sending' as const) : kind,
        intent,
        message,
        atMs,
      };
      for (const range of records) states.set(range, state);
    }
    return states;
  }

  /** Writes down at once that another run imported these records, mended. */
  addMended(records: readonly RecordRange[], run: string): void {
    addMended(this.#database, records, run);
  }

  /**
   * For each record that another run imported, mended, that run's id. What became of the record
   * as this run sent it, if it did, is another matter: {@link states}.
   */
  mended(): RecordStates<string> {
    return readMended(this.#database);
  }

  /** An intent as it was written. */
  intent(number: number): Intent | undefined {
    return readIntent(this.#database, number);
  }

  /** Writes what waits, if that is still possible, and lets go of the file. */
  close(): void {
    this.#writeAll();
    this.#database.close();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#writeAll());
  }

  #writeAll(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    this.#scheduled = false;
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return;
    const first = this.#end.entry + 1;
    try {
      if (this.#failure !== undefined) throw this.#failure;
      this.#end = this.#database.write(() =>
        waiting.reduce((end, { write }) => write(end), this.#end),
      );
    } catch (error) {
      this.#fail(waiting, error);
      return;
    }
    if (waiting.some(({ durable }) => durable !== undefined)) void this.#confirm(waiting, first);
  }

  /** Tells those who wait that the disk has what they wrote. */
  async #confirm(waiting: readonly Waiting[], first: number): Promise<void> {
    try {
      await this.#database.synced();
    } catch (error) {
      this.#fail(waiting, error);
      return;
    }
    for (const [index, { durable }] of waiting.entries()) durable?.resolve(first + index);
  }

  /** Nothing is written any more: what the disk lost once, it may lose again without saying so. */
  #fail(waiting: readonly Waiting[], error: unknown): void {
    this.#failure ??= error as JournalError;
    for (const { durable } of waiting) durable?.reject(error);
  }
}

/** The records of an intent, each with its place among the intent's documents, from 0. */
export function* recordsInOrder(
  ranges: readonly RecordRange[],
): Generator<{ readonly input: number; readonly record: number; readonly index: number }> {
  let index = 0;
  for (const { input, from, to } of ranges) {
    for (let record = from; record <= to; record += 1) {
      yield { input, record, index };
      index += 1;
    }
  }
}

/** Sums up how many records are in which state. */
export function countStates(
  states: RecordStates<RecordState>,
): Readonly<Record<RecordState['kind'], number>> {
  const counts = { sending: 0, accepted: 0, rejected: 0, unknown: 0, unsent: 0 };
  for (const [range, { kind }] of states.entries()) counts[kind] += countRecords([range]);
  return counts;
}

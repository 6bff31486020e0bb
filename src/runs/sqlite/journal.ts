import type { JournalError } from '../../model/errors.js';
import type { RecordState, RecordStates } from '../../model/record-ranges.js';
import type { RunDescription } from '../description.js';
import type { Intended, Intent, NewIntent, RunFacts, Settlement, StoredRun } from '../store.js';
import { type DatabaseForm, DurableDatabase } from './database.js';
import {
  addIntent,
  addSettlement,
  checkEntries,
  ENTRIES_TABLES,
  type JournalEnd,
  readEnd,
  readIntent,
  readStates,
} from './entries.js';
import { FACTS_TABLES, readFact, removeFact, writeFact } from './facts.js';

const FORM: DatabaseForm = {
  script: FACTS_TABLES + ENTRIES_TABLES,
  // "dfj", and the version.
  applicationId: 0x64_66_6a_01,
  // It is only written at its end.
  cacheKiB: 2 * 1024,
};

/** How long an outcome may wait for an intent to be written with, in milliseconds. */
const OUTCOMES_WAIT_MS = 200;

/**
 * The journal of one run: what is about to be sent, durably, before it is sent; and what became of
 * it. Entries are only added. What comes within one turn of the event loop is one commit, and those
 * that come while the disk is busy wait for it together; the thread goes on meanwhile.
 */
export class Journal implements StoredRun {
  readonly id: string;
  readonly touchedMs: number;
  readonly database: DurableDatabase;
  readonly #onRelease: () => void;
  readonly #waiting: Waiting[] = [];
  #end: JournalEnd;
  #scheduled = false;
  #later: NodeJS.Timeout | undefined;
  #failure: JournalError | undefined;

  /**
   * Opens the file, or makes it.
   * @throws JournalError
   */
  constructor(file: string, { id, touchedMs, onRelease = () => {} }: OpenedBy) {
    this.id = id;
    this.touchedMs = touchedMs;
    this.#onRelease = onRelease;
    this.database = new DurableDatabase(file, FORM);
    this.#end = readEnd(this.database);
  }

  /** Says what the run is. From then on, the file can't be empty. */
  begin(description: RunDescription): void {
    this.database.transaction(() => {
      writeFact(this.database, 'run', this.id);
      writeFact(this.database, 'description', description);
    });
    this.database.seal();
  }

  /**
   * Makes sure that it is what was written, but for what stood at its end.
   * @throws JournalError if it isn't
   */
  check(): void {
    this.database.check();
    checkEntries(this.database);
  }

  async read<Name extends keyof RunFacts>(name: Name): Promise<RunFacts[Name] | undefined> {
    return readFact(this.database, name);
  }

  async write<Name extends keyof RunFacts>(name: Name, value: RunFacts[Name]): Promise<void> {
    writeFact(this.database, name, value);
  }

  writeOutputs(outputs: RunFacts['outputs']): void {
    writeFact(this.database, 'outputs', outputs);
  }

  /** From now on a file that is copied without its log has no report, either. */
  async reopen(): Promise<void> {
    removeFact(this.database, 'report');
    this.database.seal();
  }

  async intend(intent: NewIntent): Promise<Intended> {
    const number = await this.#write(intent);
    return { number, taken: new Map() };
  }

  #write(intent: NewIntent): Promise<number> {
    return new Promise((resolve, reject) => {
      const write = (end: JournalEnd): JournalEnd =>
        addIntent(this.database, end, intent, Date.now());
      this.#waiting.push({ write, durable: { resolve, reject } });
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => this.#writeAll());
    });
  }

  settle(settlement: Settlement): void {
    // An acknowledgement must not be written as later than it came.
    const atMs = Date.now();
    const write = (end: JournalEnd): JournalEnd =>
      addSettlement(this.database, end, settlement, atMs);
    // That it can't be written shows with the next intent, or at the end.
    this.#waiting.push({ write });
    this.#later ??= setTimeout(() => this.#writeAll(), OUTCOMES_WAIT_MS);
  }

  async flush(): Promise<void> {
    this.#writeAll();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async states(): Promise<RecordStates<RecordState>> {
    await this.flush();
    return readStates(this.database);
  }

  async intent(number: number): Promise<Intent | undefined> {
    return readIntent(this.database, number);
  }

  async release(): Promise<void> {
    this.close();
  }

  /** Writes what waits, if that is still possible, and releases the file. */
  close(): void {
    try {
      this.#writeAll();
      this.database.close();
    } finally {
      this.#onRelease();
    }
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
      this.#end = this.database.write(() =>
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
      await this.database.synced();
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

/** Who opens a journal. */
interface OpenedBy extends Pick<StoredRun, 'id' | 'touchedMs'> {
  readonly onRelease?: () => void;
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

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { RecordState, RecordStates } from '../../model/record-ranges.js';
import type { RunDescription } from '../description.js';
import type { Intended, Intent, NewIntent, RunFacts, Settlement, StoredRun } from '../store.js';
import { journalError } from './damage.js';
import { factFields, firstFields, intentFields, settlementFields } from './journal-lines.js';
import { JournalWriter } from './journal-writer.js';
import { type JournalContent, readIntent, readJournal } from './read-journal.js';
import type { RunLock } from './run-lock.js';

const NONE_TAKEN: Intended['taken'] = new Map();

/** Which run's journal it is, and where it is. */
export interface JournalPlace extends Pick<StoredRun, 'id'> {
  readonly file: string;
}

/**
 * The journal of one run: a list of facts, to which is added what is about to be sent, durably,
 * before it is sent; and the outcomes afterwards.
 */
export class Journal implements StoredRun {
  readonly id: string;
  readonly content: JournalContent;
  readonly #file: string;
  readonly #writer: JournalWriter | undefined;
  readonly #lock: RunLock | undefined;
  #isChanged = false;

  private constructor(
    { file, id }: JournalPlace,
    content: JournalContent,
    held?: { readonly writer: JournalWriter; readonly lock: RunLock },
  ) {
    this.id = id;
    this.content = content;
    this.#file = file;
    this.#writer = held?.writer;
    this.#lock = held?.lock;
  }

  /** Reads it, also while a process writes it. @throws JournalError */
  static read(place: JournalPlace): Journal {
    return new Journal(place, readJournal(place.file, place.id));
  }

  /** Makes one. @throws JournalError */
  static async begin(
    place: JournalPlace,
    description: RunDescription,
    lock: RunLock,
  ): Promise<Journal> {
    const writer = await JournalWriter.create(place.file, firstFields(place.id, description));
    return new Journal(place, readJournal(place.file, place.id), { writer, lock });
  }

  /** Opens one to append to it. @throws JournalError */
  static async take(place: JournalPlace, lock: RunLock): Promise<Journal> {
    const content = readJournal(place.file, place.id);
    return new Journal(place, content, {
      writer: await JournalWriter.open(place.file, content),
      lock,
    });
  }

  async read<Name extends keyof RunFacts>(name: Name): Promise<RunFacts[Name] | undefined> {
    if (name === 'outputs') return readOutputs(this.#file) as RunFacts[Name] | undefined;
    return this.content.facts[name];
  }

  async write<Name extends keyof RunFacts>(name: Name, value: RunFacts[Name]): Promise<void> {
    await this.#writing.append(factFields(name, value));
    this.content.facts[name] = value;
  }

  /** In a file of its own, as a file that gets its name can't wait for the lines that wait here. */
  writeOutputs(outputs: RunFacts['outputs']): void {
    const file = outputsOf(this.#file);
    try {
      const descriptor = openSync(`${file}.part`, 'w', 0o600);
      try {
        writeSync(descriptor, JSON.stringify(outputs));
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(`${file}.part`, file);
    } catch (error) {
      throw journalError(file, error);
    }
  }

  async reopen(): Promise<void> {
    await this.#writing.append(factFields('report', null));
    delete this.content.facts.report;
  }

  async intend(intent: NewIntent): Promise<Intended> {
    this.#isChanged = true;
    const { n: number, offset } = await this.#writing.append(intentFields(intent, Date.now()));
    this.content.intents.set(number, offset);
    return { number, taken: NONE_TAKEN };
  }

  settle(settlement: Settlement): void {
    this.#isChanged = true;
    // An acknowledgement must not be written as later than it came.
    this.#writing.appendLater(settlementFields(settlement, Date.now()));
  }

  async flush(): Promise<void> {
    await this.#writer?.flush();
  }

  async states(): Promise<RecordStates<RecordState>> {
    if (!this.#isChanged) return this.content.states;
    await this.flush();
    return readJournal(this.#file, this.id).states;
  }

  async intent(number: number): Promise<Intent | undefined> {
    return this.intentNow(number);
  }

  intentNow(number: number): Intent | undefined {
    const offset = this.content.intents.get(number);
    return offset === undefined ? undefined : readIntent(this.#file, offset);
  }

  async release(): Promise<void> {
    await this.#writer?.close();
    this.#lock?.release();
  }

  get #writing(): JournalWriter {
    if (this.#writer === undefined)
      throw new Error('A journal that is only read is not written to.');
    return this.#writer;
  }
}

function outputsOf(journal: string): string {
  return path.join(path.dirname(journal), 'outputs.json');
}

/** Where it can't be read, files that are there are taken for somebody else's. */
function readOutputs(journal: string): RunFacts['outputs'] | undefined {
  try {
    return JSON.parse(readFileSync(outputsOf(journal), 'utf8')) as RunFacts['outputs'];
  } catch {
    return undefined;
  }
}

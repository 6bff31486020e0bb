import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Batch, hashesOf, idsJson, publishedWindow } from '../../model/documents.js';
import { type RecordState, RecordStates, recordsOf } from '../../model/record-ranges.js';
import type { RunDescription } from '../description.js';
import type { Intended, Intent, RunFacts, RunLock, Settlement, StoredRun } from '../store.js';
import {
  type Entry,
  FORMAT,
  JournalWriter,
  parseLine,
  rangesOf,
  readLines,
  triplesOf,
} from './journal-file.js';
import {
  damaged,
  fromEarlierVersion,
  journalError,
  readJsonFile,
  replaceFile,
} from './run-files.js';

const NONE_TAKEN: Intended['taken'] = new Map();

/** Which run's journal it is, and where it is. */
export interface JournalPlace extends Pick<StoredRun, 'id'> {
  readonly file: string;
}

/** What a journal says, without what only reconciliation and the ledger need of its intents. */
interface JournalContent {
  readonly facts: { -readonly [Name in keyof RunFacts]?: RunFacts[Name] };
  readonly states: RecordStates<RecordState>;
  /** Where each intent's line starts. */
  readonly intents: Map<number, number>;
  /** How many lines are what was written, and their bytes. */
  lines: number;
  bytes: number;
}

/**
 * The journal of one run: a list of facts, to which is added what is about to be sent, durably,
 * before it is sent; and the outcomes afterwards.
 */
export class Journal implements StoredRun {
  readonly id: string;
  /** The system gives its lock to nobody else while this process lives. */
  readonly isLost = false;
  /** As it was when it was opened. */
  readonly content: JournalContent;
  readonly #file: string;
  readonly #held: { readonly writer: JournalWriter; readonly lock: RunLock } | undefined;

  private constructor(
    { file, id }: JournalPlace,
    content: JournalContent,
    held?: { readonly writer: JournalWriter; readonly lock: RunLock },
  ) {
    this.id = id;
    this.content = content;
    this.#file = file;
    this.#held = held;
  }

  /** Reads it, also while a process writes it. @throws JournalError */
  static read(place: JournalPlace): Journal {
    return new Journal(place, readJournal(place));
  }

  /** Makes one. @throws JournalError */
  static async begin(
    place: JournalPlace,
    description: RunDescription,
    lock: RunLock,
  ): Promise<Journal> {
    const run = { journal: FORMAT, run: place.id } as const;
    await JournalWriter.create(place.file, { ...run, fact: 'description', value: description });
    return await Journal.take(place, lock);
  }

  /** Opens one to append to it. @throws JournalError */
  static async take(place: JournalPlace, lock: RunLock): Promise<Journal> {
    const content = readJournal(place);
    const writer = await JournalWriter.open(place.file, content);
    return new Journal(place, content, { writer, lock });
  }

  async read<Name extends keyof RunFacts>(name: Name): Promise<RunFacts[Name] | undefined> {
    if (name !== 'outputs') return this.content.facts[name];
    // Where it can't be read, files that are there are taken for somebody else's.
    return readJsonFile(this.#outputsFile) as RunFacts[Name] | undefined;
  }

  async write<Name extends keyof RunFacts>(name: Name, value: RunFacts[Name]): Promise<void> {
    await this.#writer.append({ fact: name, value });
    this.content.facts[name] = value;
  }

  /** In a file of its own, as a file that gets its name can't wait for the lines that wait here. */
  writeOutputs(outputs: RunFacts['outputs']): void {
    try {
      replaceFile(this.#outputsFile, outputs, true);
    } catch (error) {
      throw journalError(this.#outputsFile, error);
    }
  }

  async reopen(): Promise<void> {
    await this.#writer.append({ fact: 'report', value: null });
    delete this.content.facts.report;
  }

  async intend(batch: Batch): Promise<Intended> {
    const hashes = batch.ranges.map(hashesOf);
    const intent = {
      at: Date.now(),
      intent: triplesOf(recordsOf(batch)),
      published: publishedWindow(batch),
      idHashes: Buffer.concat(hashes.map(({ idHashes }) => idHashes)).toString('base64'),
      digests: Buffer.concat(hashes.map(({ digests }) => digests)).toString('base64'),
    };
    const number = await this.#writer.append(intent, batch.ranges.map(idsJson));
    return { number, taken: NONE_TAKEN };
  }

  settle({ intent, records, outcome, message }: Settlement): void {
    // An acknowledgement must not be written as later than it came.
    const of = { at: Date.now(), settles: intent, records: triplesOf(records) };
    this.#writer.appendUnsynced({ ...of, outcome, message });
  }

  async flush(): Promise<void> {
    await this.#held?.writer.flush();
  }

  async states(): Promise<RecordStates<RecordState>> {
    return this.content.states;
  }

  async intent(number: number): Promise<Intent | undefined> {
    return this.intentNow(number);
  }

  intentNow(number: number): Intent | undefined {
    const offset = this.content.intents.get(number);
    return offset === undefined ? undefined : readIntent(this.#file, offset);
  }

  async release(): Promise<void> {
    await this.#held?.writer.close();
    this.#held?.lock.release();
  }

  get #outputsFile(): string {
    return path.join(path.dirname(this.#file), 'outputs.json');
  }

  get #writer(): JournalWriter {
    if (this.#held === undefined) throw new Error('A journal that is only read is not written to.');
    return this.#held.writer;
  }
}

/**
 * Reads a run's journal. What a crash left of a line at its end is left out.
 * @throws JournalError if another line isn't what was written, or it is another run's
 */
function readJournal({ file, id }: JournalPlace): JournalContent {
  const states = new RecordStates<RecordState>();
  const content: JournalContent = { facts: {}, states, intents: new Map(), lines: 0, bytes: 0 };
  let isTorn = false;
  try {
    for (const { line, offset } of readLines(file)) {
      const entry = parseLine(line);
      if (entry !== undefined && (isTorn || entry.n !== content.lines + 1)) {
        throw damaged(file, `its line ${content.lines + 1} is missing, or not what was written`);
      }
      isTorn = entry === undefined;
      if (entry === undefined) continue;
      if (content.lines === 0) checkFirst(entry, file, id);
      take(content, entry, offset);
      content.lines += 1;
      content.bytes = offset + line.byteLength;
    }
  } catch (error) {
    throw readError(file, error);
  }
  if (content.lines === 0) {
    throw damaged(file, 'it is empty, or its first line is not what was written');
  }
  return content;
}

/**
 * Reads an intent as it was written.
 * @param offset where its line starts
 * @throws JournalError
 */
function readIntent(file: string, offset: number): Intent {
  let entry: Entry | undefined;
  try {
    for (const { line } of readLines(file, offset)) {
      entry = parseLine(line);
      break;
    }
  } catch (error) {
    throw readError(file, error);
  }
  if (entry === undefined || !('intent' in entry)) {
    throw damaged(file, `the line at byte ${offset} is not what was written`);
  }
  const { intent, ids = [], published } = entry;
  const idHashes = Buffer.from(entry.idHashes, 'base64');
  const digests = Buffer.from(entry.digests, 'base64');
  return { records: rangesOf(intent), ids, idHashes, digests, published };
}

function take({ facts, states, intents }: JournalContent, entry: Entry, offset: number): void {
  if ('fact' in entry) {
    Object.assign(facts, { [entry.fact]: entry.value ?? undefined });
    return;
  }
  const isIntent = 'intent' in entry;
  if (isIntent) intents.set(entry.n, offset);
  const state: RecordState = isIntent
    ? { kind: 'sending', intent: entry.n, message: '', atMs: entry.at }
    : { kind: entry.outcome, intent: entry.settles, message: entry.message, atMs: entry.at };
  for (const range of rangesOf(isIntent ? entry.intent : entry.records)) states.set(range, state);
}

function checkFirst(entry: Entry, file: string, run: string): void {
  if (!('fact' in entry) || entry.journal !== FORMAT) throw fromEarlierVersion(file);
  if (entry.run !== run) throw damaged(file, `it is the journal of the run ${entry.run}`);
}

function readError(file: string, error: unknown): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return journalError(file, error);
  const earlier = path.join(path.dirname(file), 'journal.db');
  return existsSync(earlier) ? fromEarlierVersion(earlier) : damaged(file, 'it is gone');
}

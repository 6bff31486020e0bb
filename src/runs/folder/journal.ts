import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Batch, hashesOf, idsJson, publishedWindow } from '../../model/documents.js';
import { type RecordState, RecordStates, recordsOf } from '../../model/record-ranges.js';
import type { WrittenFile } from '../../model/source.js';
import type { RunDescription } from '../description.js';
import type {
  Intent,
  IntentResult,
  JournaledOutcome,
  RunFacts,
  RunJournal,
  RunLock,
} from '../store.js';
import {
  type Entry,
  FORMAT,
  JournalWriter,
  parseLine,
  rangesOf,
  readLines,
  triplesOf,
} from './journal-file.js';
import { damaged, fromEarlierVersion, journalError } from './run-files.js';

const NONE_ELSEWHERE: IntentResult['elsewhere'] = new Map();

/** A run's id and its journal file. */
export interface JournalLocation extends Pick<RunJournal, 'id'> {
  readonly file: string;
}

/**
 * Content of a journal. Intents are read again from the file when reconciliation or the ledger
 * needs them.
 */
interface JournalContent {
  readonly facts: { -readonly [Name in keyof RunFacts]: RunFacts[Name] };
  readonly states: RecordStates<RecordState>;
  /** Byte offset of each intent's line, by number. */
  readonly intents: Map<number, number>;
  /** Intents for documents that an earlier run had sent with other content. */
  readonly others: Set<number>;
  /** Number of undamaged lines, and their bytes. */
  lines: number;
  bytes: number;
}

/** Journal of one run. An intent is durable before its request is sent; outcomes follow. */
export class Journal implements RunJournal {
  readonly id: string;
  readonly content: JournalContent;
  readonly #file: string;
  readonly #held: { readonly writer: JournalWriter; readonly lock: RunLock } | undefined;

  private constructor(
    { file, id }: JournalLocation,
    content: JournalContent,
    held?: { readonly writer: JournalWriter; readonly lock: RunLock },
  ) {
    this.id = id;
    this.content = content;
    this.#file = file;
    this.#held = held;
  }

  /** Another process can take the run only if the file of its lock was removed or replaced. */
  get isLost(): boolean {
    return this.#held?.lock.loss() !== undefined;
  }

  /**
   * Reads a journal, even while another process writes to it.
   * @throws JournalError
   */
  static read(place: JournalLocation): Journal {
    return new Journal(place, readJournal(place));
  }

  /** Reads the first line only; `undefined` if it can't be read. */
  static describe({ file }: JournalLocation): RunDescription | undefined {
    try {
      const [first] = readLines(file);
      const entry = first && parseLine(first.line);
      const isDescription = entry !== undefined && 'fact' in entry && entry.journal === FORMAT;
      return isDescription ? (entry.value as RunDescription) : undefined;
    } catch {
      return undefined;
    }
  }

  static async begin(
    place: JournalLocation,
    description: RunDescription,
    lock: RunLock,
  ): Promise<Journal> {
    const run = { journal: FORMAT, run: place.id } as const;
    await JournalWriter.create(place.file, { ...run, fact: 'description', value: description });
    return await Journal.take(place, lock);
  }

  /**
   * Opens a journal for appending.
   * @throws JournalError
   */
  static async take(place: JournalLocation, lock: RunLock): Promise<Journal> {
    const content = readJournal(place);
    const writer = await JournalWriter.open(place.file, lock, content);
    return new Journal(place, content, { writer, lock });
  }

  async facts(): Promise<RunFacts> {
    return this.content.facts;
  }

  async description(): Promise<RunDescription> {
    return this.content.facts.description;
  }

  async writeReport(report: RunFacts['report']): Promise<void> {
    await this.#writer.append({ fact: 'report', value: report ?? null });
    this.content.facts.report = report;
  }

  async writeRejects(files: readonly WrittenFile[]): Promise<void> {
    await this.#writer.append({ fact: 'rejects', value: files });
  }

  async writeIntent(batch: Batch, contents?: Uint8Array): Promise<IntentResult> {
    const hashes = batch.ranges.map(hashesOf);
    const digests = contents ?? Buffer.concat(hashes.map((one) => one.digests));
    const intent = {
      at: Date.now(),
      intent: triplesOf(recordsOf(batch)),
      published: publishedWindow(batch),
      idHashes: Buffer.concat(hashes.map(({ idHashes }) => idHashes)).toString('base64'),
      digests: Buffer.from(digests).toString('base64'),
      ...(contents && { other: true as const }),
    };
    const number = await this.#writer.append(intent, batch.ranges.map(idsJson));
    const loss = this.#held?.lock.loss();
    if (loss !== undefined) throw loss;
    return { number, elsewhere: NONE_ELSEWHERE };
  }

  settle({ intent, records, outcome, message }: JournaledOutcome): void {
    // Now, not when the line is written: an acknowledgement must not seem later than it was.
    const of = { at: Date.now(), settles: intent, records: triplesOf(records) };
    this.#writer.appendUnsynced({ ...of, outcome, message });
  }

  async flush(): Promise<void> {
    await this.#held?.writer.flush();
  }

  async states(): Promise<RecordStates<RecordState>> {
    return this.content.states;
  }

  readIntent(number: number): Intent | undefined {
    const offset = this.content.intents.get(number);
    return offset === undefined ? undefined : readIntent(this.#file, offset);
  }

  async release(): Promise<void> {
    await this.#held?.writer.close();
    this.#held?.lock.release();
  }

  get #writer(): JournalWriter {
    if (this.#held === undefined) throw new Error('This journal is open for reading only.');
    return this.#held.writer;
  }
}

/**
 * Reads a run's journal. Leaves out a last line that a crash cut off.
 * @throws JournalError if another line is damaged, or it is another run's journal
 */
function readJournal({ file, id }: JournalLocation): JournalContent {
  const states = new RecordStates<RecordState>();
  // The first line, without which the journal is damaged, has the description.
  const facts = {} as JournalContent['facts'];
  const places = { intents: new Map(), others: new Set<number>() };
  const content: JournalContent = { facts, states, ...places, lines: 0, bytes: 0 };
  let isTorn = false;
  try {
    for (const { line, offset } of readLines(file)) {
      const entry = parseLine(line);
      // A crash cuts off the end of a line, never the start of a whole one.
      const isPart = entry === undefined && hasEntryAtEnd(line);
      if (isPart || (entry !== undefined && (isTorn || entry.n !== content.lines + 1))) {
        throw damaged(file, `its line ${content.lines + 1} is missing or was changed`);
      }
      isTorn = entry === undefined;
      if (entry === undefined) continue;
      if (content.lines === 0) checkFirst(entry, file, id);
      applyEntry(content, entry, offset);
      content.lines += 1;
      content.bytes = offset + line.byteLength;
    }
  } catch (error) {
    throw readError(file, error);
  }
  if (content.lines === 0) {
    throw damaged(file, 'it is empty, or its first line was changed');
  }
  return content;
}

function hasEntryAtEnd(line: Buffer): boolean {
  const start = line.lastIndexOf('{"crc":"');
  return start > 0 && parseLine(line.subarray(start)) !== undefined;
}

/**
 * Reads an intent.
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
    throw damaged(file, `the line at byte ${offset} was changed`);
  }
  const { intent, ids = [], published } = entry;
  const idHashes = Buffer.from(entry.idHashes, 'base64');
  const digests = Buffer.from(entry.digests, 'base64');
  return { records: rangesOf(intent), ids, idHashes, digests, published };
}

function applyEntry(content: JournalContent, entry: Entry, offset: number): void {
  const { facts, states, intents, others } = content;
  if ('fact' in entry) {
    Object.assign(facts, { [entry.fact]: entry.value ?? undefined });
    return;
  }
  const isIntent = 'intent' in entry;
  if (isIntent) intents.set(entry.n, offset);
  if (isIntent && entry.other) others.add(entry.n);
  const [kind, intent, message] = isIntent
    ? (['sending', entry.n, ''] as const)
    : [entry.outcome, entry.settles, entry.message];
  const state = { kind, intent, message, atMs: entry.at, sentOther: others.has(intent) };
  for (const range of rangesOf(isIntent ? entry.intent : entry.records)) states.set(range, state);
}

function checkFirst(entry: Entry, file: string, run: string): void {
  if (!('fact' in entry) || entry.journal !== FORMAT) throw fromEarlierVersion(file);
  if (entry.run !== run) throw damaged(file, `it is the journal of the run ${entry.run}`);
}

function readError(file: string, error: unknown): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return journalError(file, error);
  const earlier = path.join(path.dirname(file), 'journal.db');
  return existsSync(earlier) ? fromEarlierVersion(earlier) : damaged(file, 'it is missing');
}

import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type RecordState, RecordStates } from '../../model/record-ranges.js';
import type { Intent, RunFacts } from '../store.js';
import { damaged, fromEarlierVersion, journalError } from './damage.js';
import { type Entry, FORMAT, parseLine, rangesOf, readLines } from './journal-lines.js';

/** What a journal says, without what only reconciliation and the ledger need of its intents. */
export interface JournalContent {
  readonly facts: { -readonly [Name in keyof RunFacts]?: RunFacts[Name] };
  /** The state of every record that was to be sent. */
  readonly states: RecordStates<RecordState>;
  /** Where each intent's line starts. */
  readonly intents: Map<number, number>;
  /** How many lines are what was written, and their bytes. */
  readonly lines: number;
  readonly bytes: number;
}

/**
 * Reads a run's journal. What a crash left of a line at its end is left out.
 * @throws JournalError if another line isn't what was written, or it is another run's
 */
export function readJournal(file: string, run: string): JournalContent {
  const content = { facts: {}, states: new RecordStates<RecordState>(), intents: new Map() };
  let [lines, bytes, isTorn] = [0, 0, false];
  try {
    for (const { line, offset } of readLines(file)) {
      const entry = parseLine(line);
      if (entry !== undefined && (isTorn || entry.n !== lines + 1)) {
        throw damaged(file, `its line ${lines + 1} is missing, or not what was written`);
      }
      isTorn = entry === undefined;
      if (entry === undefined) continue;
      if (lines === 0) checkFirst(entry, file, run);
      take(content, entry, offset);
      lines += 1;
      bytes = offset + line.byteLength;
    }
  } catch (error) {
    throw readError(file, error);
  }
  if (lines === 0) throw damaged(file, 'it is empty, or its first line is not what was written');
  return { ...content, lines, bytes };
}

/**
 * Reads an intent as it was written.
 * @param offset where its line starts
 * @throws JournalError
 */
export function readIntent(file: string, offset: number): Intent {
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
  const { intent, ids, published } = entry;
  const idHashes = Buffer.from(entry.idHashes, 'base64');
  const digests = Buffer.from(entry.digests, 'base64');
  return { records: rangesOf(intent), ids, idHashes, digests, published };
}

function take(
  { facts, states, intents }: Omit<JournalContent, 'lines' | 'bytes'>,
  entry: Entry,
  offset: number,
): void {
  if ('fact' in entry) {
    Object.assign(facts, { [entry.fact]: entry.value ?? undefined });
  } else if ('intent' in entry) {
    intents.set(entry.n, offset);
    const state = { kind: 'sending', intent: entry.n, message: '', atMs: entry.at } as const;
    for (const range of rangesOf(entry.intent)) states.set(range, state);
  } else {
    const { outcome: kind, settles: intent, message, at: atMs } = entry;
    const state = { kind, intent, message, atMs };
    for (const range of rangesOf(entry.records)) states.set(range, state);
  }
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

/**
 * Records by number: how journals, ledgers and shards refer to records. Unlike chunks and batches,
 * numbers don't depend on how a source is cut.
 */
import type { Batch, Documents } from './documents.js';

export interface RecordRange {
  /** Index of the source among the run's inputs, from 0. */
  readonly input: number;
  /** Numbers of the first and the last record, from 1. */
  readonly from: number;
  readonly to: number;
}

/** Number of a document's record in its source, from 1. */
export function recordNumber({ chunk, records }: Documents, document: number): number {
  return chunk.position.record + (records[document] as number);
}

/** Lists the records of a batch's documents, in its order; gaps stay gaps. */
export function recordsOf(batch: Batch): readonly RecordRange[] {
  const found: { input: number; from: number; to: number }[] = [];
  for (const { documents, from, to } of batch.ranges) {
    const { input } = documents.chunk;
    for (let document = from; document < to; document += 1) {
      const record = recordNumber(documents, document);
      const last = found.at(-1);
      if (last?.input === input && last.to + 1 === record) last.to = record;
      else found.push({ input, from: record, to: record });
    }
  }
  return found;
}

/** Counts the records in ranges that don't overlap. */
export function countRecords(ranges: readonly RecordRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

/** Yields the records of ranges one by one, each with its overall index, from 0. */
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

/** Outcomes of sent documents that a resumed run needs to know. */
export type SentOutcome = 'accepted' | 'rejected' | 'unknown' | 'unsent';

/** Journaled state of a record that was to be sent. */
export interface RecordState {
  /** `sending` if a request was about to be made and its outcome wasn't written. */
  readonly kind: 'sending' | SentOutcome;
  readonly intent: number;
  readonly message: string;
  /** Time of that entry, in milliseconds since 1970. */
  readonly atMs: number;
  /** An earlier run had sent it, with other content, whose state this is. */
  readonly sentOther?: boolean;
}

/** Consecutive records in the same state. */
interface Stretch<State> {
  readonly from: number;
  readonly to: number;
  readonly state: State;
}

/**
 * State of each record, stored as stretches of equal state: memory grows with the number of changes
 * of state, not with the number of records.
 */
export class RecordStates<State> {
  /** Stretches by input, in order and without overlaps. */
  readonly #inputs: Stretch<State>[][] = [];

  get isEmpty(): boolean {
    return this.#inputs.length === 0;
  }

  set({ input, from, to }: RecordRange, state: State): void {
    const stretches = this.#stretchesOf(input);
    const first = firstEndingAtOrAfter(stretches, from);
    let after = first;
    while ((stretches[after]?.from ?? Infinity) <= to) after += 1;
    const cut = stretches.slice(first, after);
    const before = cut[0];
    const behind = cut.at(-1);
    const replaced: Stretch<State>[] = [{ from, to, state }];
    if (before !== undefined && before.from < from) replaced.unshift({ ...before, to: from - 1 });
    if (behind !== undefined && behind.to > to) replaced.push({ ...behind, from: to + 1 });
    stretches.splice(first, after - first, ...replaced);
  }

  /** Returns a record's state; `undefined` if none was set. */
  get(input: number, record: number): State | undefined {
    const stretches = this.#inputs[input] ?? [];
    const found = stretches[firstEndingAtOrAfter(stretches, record)];
    return found !== undefined && found.from <= record ? found.state : undefined;
  }

  /** Yields all states, in the order of inputs and records. */
  *entries(): Generator<readonly [RecordRange, State], void, undefined> {
    for (const [input, stretches] of this.#inputs.entries()) {
      for (const { from, to, state } of stretches ?? []) yield [{ input, from, to }, state];
    }
  }

  #stretchesOf(input: number): Stretch<State>[] {
    const stretches = this.#inputs[input] ?? [];
    this.#inputs[input] = stretches;
    return stretches;
  }
}

function firstEndingAtOrAfter(stretches: readonly Stretch<unknown>[], record: number): number {
  const last = stretches.at(-1);
  // Fast path: records mostly come in order.
  if (last === undefined || last.to < record) return stretches.length;
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stretches[middle] as Stretch<unknown>).to < record) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function countStates(
  states: RecordStates<RecordState>,
): Readonly<Record<RecordState['kind'], number>> {
  const counts = { sending: 0, accepted: 0, rejected: 0, unknown: 0, unsent: 0 };
  for (const [range, { kind }] of states.entries()) counts[kind] += countRecords([range]);
  return counts;
}

/**
 * Records by their numbers: how what is kept of a run, beyond its memory, names the records of its
 * inputs. Numbers don't depend on how a source is cut into chunks, nor on batches.
 */
import type { Batch, Documents } from './documents.js';

/** Neighbouring records of one input. */
export interface RecordRange {
  /** Index of the source among the run's inputs, from 0. */
  readonly input: number;
  /** Number of the first record, from 1, and of the last one. */
  readonly from: number;
  readonly to: number;
}

/** Number of the record that a document comes from, in its source, from 1. */
export function recordNumber({ chunk, records }: Documents, document: number): number {
  return chunk.position.record + (records[document] as number);
}

/** The records that a batch's documents come from, in its order; gaps between them stay gaps. */
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

/** How many records there are in ranges that don't overlap. */
export function countRecords(ranges: readonly RecordRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

/** The records of some ranges one by one, each with its place among them, from 0. */
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

/** What can become of a request's documents, as far as a resumed run has to know. */
export type SentOutcome = 'accepted' | 'rejected' | 'unknown' | 'unsent';

/** What is known of a record that was to be sent. */
export interface RecordState {
  /** `sending`: a request was about to be made, and nothing says what came of it. */
  readonly kind: 'sending' | SentOutcome;
  /** Number of the last request's intent. */
  readonly intent: number;
  readonly message: string;
  /** When that was written, in milliseconds since 1970. */
  readonly atMs: number;
}

/** Neighbouring records in the same state. */
interface Stretch<State> {
  readonly from: number;
  readonly to: number;
  readonly state: State;
}

/**
 * What state each record is in, as stretches of neighbours: however many records there are, memory
 * goes by how often the state changes between them.
 */
export class RecordStates<State> {
  /** For each input its stretches in order; they never overlap. */
  readonly #inputs: Stretch<State>[][] = [];

  /** Whether nothing was said of any record. */
  get isEmpty(): boolean {
    return this.#inputs.length === 0;
  }

  /** From now on these records are in this state, whatever they were in. */
  set({ input, from, to }: RecordRange, state: State): void {
    const stretches = this.#stretchesOf(input);
    const first = firstEndingAtOrAfter(stretches, from);
    let after = first;
    while ((stretches[after]?.from ?? Infinity) <= to) after += 1;
    const cut = stretches.slice(first, after);
    const before = cut[0];
    const behind = cut.at(-1);
    const kept: Stretch<State>[] = [{ from, to, state }];
    if (before !== undefined && before.from < from) kept.unshift({ ...before, to: from - 1 });
    if (behind !== undefined && behind.to > to) kept.push({ ...behind, from: to + 1 });
    stretches.splice(first, after - first, ...kept);
  }

  /** `undefined` for a record that nothing was said of. */
  get(input: number, record: number): State | undefined {
    const stretches = this.#inputs[input] ?? [];
    const found = stretches[firstEndingAtOrAfter(stretches, record)];
    return found !== undefined && found.from <= record ? found.state : undefined;
  }

  /** All that was said, in the order of inputs and records. */
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
  // Records come in order, most of the time.
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

/** Sums up how many records are in which state. */
export function countStates(
  states: RecordStates<RecordState>,
): Readonly<Record<RecordState['kind'], number>> {
  const counts = { sending: 0, accepted: 0, rejected: 0, unknown: 0, unsent: 0 };
  for (const [range, { kind }] of states.entries()) counts[kind] += countRecords([range]);
  return counts;
}

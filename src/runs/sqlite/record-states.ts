import type { RecordRange } from '../../model/record-ranges.js';

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

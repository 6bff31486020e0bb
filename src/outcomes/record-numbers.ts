import type { PlacedChunk } from '../model/chunk.js';

/** How many records were read of each input, and what a record is called by its number in the run. */
export class RecordNumbers {
  readonly #sources: readonly string[];
  /** For each input: how many records of earlier inputs were read. */
  readonly #before: number[] = [];
  readonly #read: number[];

  constructor(sources: readonly string[]) {
    this.#sources = sources;
    this.#read = sources.map(() => 0);
  }

  /**
   * A chunk was read.
   * @param before how many records of the run were read before it
   */
  add({ input, records }: PlacedChunk, before: number): void {
    this.#before[input] ??= before;
    this.#read[input] = this.readOf(input) + records;
  }

  /** Records read from input number `input`, from 0. */
  readOf(input: number): number {
    return this.#read[input] ?? 0;
  }

  /** Number of a chunk's first record in the whole run, from 0. Known once the chunk was added. */
  firstOf({ input, position }: PlacedChunk): number {
    return (this.#before[input] ?? 0) + position.record - 1;
  }

  /** Names a record by its number in the run, from 0. */
  nameOf(ordinal: number): string {
    let input = this.#before.length - 1;
    while (input > 0 && (this.#before[input] ?? Infinity) > ordinal) input -= 1;
    const record = ordinal - (this.#before[input] ?? 0) + 1;
    return `${this.#sources[input] ?? 'the input'}, record ${record}`;
  }
}

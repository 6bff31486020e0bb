import type { PlacedChunk } from '../model/chunk.js';
import type { DocumentRange } from '../model/documents.js';
import type { RecordRange } from '../model/record-ranges.js';
import type { Origin } from '../model/reject-columns.js';

/** Which records of earlier runs this run has brought in: those that came from their rejects. */
export class FixedRecords {
  readonly #originsOf: (chunk: PlacedChunk, index: number) => readonly Origin[];
  /** For each run, for each of its inputs, the numbers of records. */
  readonly #runs = new Map<string, Map<number, number[]>>();

  /** @param originsOf which records of earlier runs a record of rejects is */
  constructor(originsOf: (chunk: PlacedChunk, index: number) => readonly Origin[]) {
    this.#originsOf = originsOf;
  }

  /** Documents were accepted. */
  note({ documents, from, to }: DocumentRange): void {
    const { chunk, records } = documents;
    if (chunk.layout.header !== 'rejects') return;
    for (const index of records.subarray(from, to)) {
      for (const origin of this.#originsOf(chunk, index)) this.#add(origin);
    }
  }

  /** The runs, each with its records in order. */
  *byRun(): Generator<readonly [string, readonly RecordRange[]], void, undefined> {
    for (const [run, inputs] of this.#runs) {
      yield [run, [...inputs].flatMap(([input, records]) => rangesOf(input, records))];
    }
  }

  #add({ run, input, record }: Origin): void {
    const inputs = this.#runs.get(run) ?? new Map<number, number[]>();
    const records = inputs.get(input) ?? [];
    records.push(record);
    this.#runs.set(run, inputs.set(input, records));
  }
}

function rangesOf(input: number, records: readonly number[]): readonly RecordRange[] {
  const ranges: { input: number; from: number; to: number }[] = [];
  for (const record of records.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && record <= last.to + 1) last.to = record;
    else ranges.push({ input, from: record, to: record });
  }
  return ranges;
}

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

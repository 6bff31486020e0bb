import { type Batch, type DocumentRange, endOf, startOf } from '../../model/documents.js';

/**
 * Some of a batch's documents, as a batch of their own; no byte is copied.
 * @param indexes places in the batch, from 0, in ascending order
 */
export function partOfBatch(batch: Batch, indexes: readonly number[]): Batch {
  const ranges: DocumentRange[] = [];
  let next = 0;
  let before = 0;
  for (const { documents, from, to } of batch.ranges) {
    const end = before + to - from;
    for (let index = indexes[next]; index !== undefined && index < end; index = indexes[next]) {
      addDocument(ranges, documents, from + index - before);
      next += 1;
    }
    before = end;
  }
  return { ranges, count: indexes.length, bytes: bytesOf(ranges) };
}

function addDocument(
  ranges: DocumentRange[],
  documents: DocumentRange['documents'],
  document: number,
): void {
  const last = ranges.at(-1);
  if (last?.documents === documents && last.to === document) {
    ranges[ranges.length - 1] = { ...last, to: document + 1 };
  } else {
    ranges.push({ documents, from: document, to: document + 1 });
  }
}

function bytesOf(ranges: readonly DocumentRange[]): number {
  const commas = Math.max(0, ranges.length - 1);
  return ranges.reduce(
    (sum, { documents, from, to }) => sum + endOf(documents, to - 1) - startOf(documents, from),
    commas,
  );
}

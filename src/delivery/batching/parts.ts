import { type Batch, batchOf, type DocumentRange } from '../../model/documents.js';

/**
 * Cuts a batch into parts of as nearly the same number of documents as can be, in order.
 * @param parts from 1 to the number of its documents
 */
export function cutBatch(batch: Batch, parts: number): readonly Batch[] {
  const start = (part: number): number => Math.floor((part * batch.count) / parts);
  return Array.from({ length: parts }, (_, part) => {
    const from = start(part);
    const count = start(part + 1) - from;
    return partOfBatch(
      batch,
      Array.from({ length: count }, (_, at) => from + at),
    );
  });
}

/**
 * Some of a batch's documents, as a batch of their own.
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
  return batchOf(ranges);
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

import { type Batch, type DocumentRange, endOf, startOf } from '../model/documents.js';

/**
 * Cuts a batch into parts of as nearly the same number of documents as can be, in order. No byte
 * is copied.
 * @param parts from 1 to the number of its documents
 */
export function cutBatch(batch: Batch, parts: number): readonly Batch[] {
  return Array.from({ length: parts }, (_, part) =>
    slice(
      batch,
      Math.floor((part * batch.count) / parts),
      Math.floor(((part + 1) * batch.count) / parts),
    ),
  );
}

/** The documents `from` to `to` (exclusive), counted over all its ranges. */
function slice(batch: Batch, from: number, to: number): Batch {
  const ranges: DocumentRange[] = [];
  let before = 0;
  let bytes = -1;
  for (const range of batch.ranges) {
    const first = range.from + Math.max(0, from - before);
    const end = Math.min(range.to, range.from + to - before);
    before += range.to - range.from;
    if (first >= end) continue;
    const { documents } = range;
    ranges.push({ documents, from: first, to: end });
    bytes += 1 + endOf(documents, end - 1) - startOf(documents, first);
  }
  return { ranges, count: to - from, bytes };
}

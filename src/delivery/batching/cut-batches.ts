import { type Batch, type DocumentRange, endOf, startOf } from '../../model/documents.js';
import { type BatchLimits, BatchPolicy } from './batch-policy.js';

/**
 * Cuts a stream of documents into batches. Source order is kept, no byte is copied, and only the
 * last batch is smaller than it could be.
 */
export async function* cutBatches(
  ranges: AsyncIterable<DocumentRange>,
  limits: BatchLimits,
): AsyncGenerator<Batch, void, undefined> {
  const policy = new BatchPolicy(limits);
  let open: DocumentRange[] = [];
  for await (const range of ranges) {
    let from = range.from;
    for (let index = range.from; index < range.to; index += 1) {
      const bytes = endOf(range.documents, index) - startOf(range.documents, index);
      if (policy.add(bytes)) continue;
      if (index > from) open.push({ ...range, from, to: index });
      yield asBatch(open);
      open = [];
      from = index;
      policy.reset();
      policy.add(bytes);
    }
    open.push({ ...range, from });
  }
  if (open.length > 0) yield asBatch(open);
}

function asBatch(ranges: readonly DocumentRange[]): Batch {
  let count = 0;
  let bytes = ranges.length - 1;
  for (const { documents, from, to } of ranges) {
    count += to - from;
    bytes += endOf(documents, to - 1) - startOf(documents, from);
  }
  return { ranges, count, bytes };
}

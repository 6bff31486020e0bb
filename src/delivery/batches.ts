import { type Batch, batchOf, type DocumentRange, endOf, startOf } from '../model/documents.js';
import { DUE, FlushTimer } from '../model/flush-timer.js';

export interface BatchLimits {
  /** At least 1. */
  readonly documents: number;
  /** Size of the request body; a single document that is larger is sent alone. */
  readonly bytes: number;
  /** Maximum time that a document waits for others, in milliseconds; default: no limit. */
  readonly flushMs?: number;
}

/**
 * Cuts a stream of documents into batches, in source order and without copying bytes. A batch is
 * smaller than the limits allow only at the end, or when `flushMs` runs out. A value
 * that is a batch already passes through unchanged.
 */
export async function* cutBatches(
  documents: AsyncIterable<DocumentRange | Batch>,
  limits: BatchLimits,
): AsyncGenerator<Batch, void, undefined> {
  const size = new BatchSize(limits);
  const open: DocumentRange[] = [];
  const flush = new FlushTimer(limits.flushMs ?? Number.POSITIVE_INFINITY);
  const iterator = documents[Symbol.asyncIterator]();
  try {
    for (let next = iterator.next(); ; ) {
      if (open.length > 0) flush.start();
      const step = await flush.before(next);
      if (step === DUE) {
        flush.stop();
        size.restart();
        yield batchOf(open.splice(0));
        continue;
      }
      if (step.done) break;
      for (const batch of batchesOf(step.value, open, size)) {
        // The consumer's own time doesn't count as waiting; a batch that passes through changes
        // nothing for the documents that wait.
        if (open.length === 0) flush.stop();
        yield batch;
      }
      next = iterator.next();
    }
  } finally {
    flush.stop();
    await iterator.return?.();
  }
  if (open.length > 0) yield batchOf(open);
}

/**
 * Yields a finished batch as it is. Documents go into the open batch, which is yielded when the next
 * one doesn't fit.
 */
function* batchesOf(
  range: DocumentRange | Batch,
  open: DocumentRange[],
  size: BatchSize,
): Generator<Batch, void, undefined> {
  if ('ranges' in range) {
    yield range;
    return;
  }
  let from = range.from;
  for (let index = range.from; index < range.to; index += 1) {
    const bytes = endOf(range.documents, index) - startOf(range.documents, index);
    if (size.add(bytes)) continue;
    if (index > from) open.push({ ...range, from, to: index });
    yield batchOf(open.splice(0));
    from = index;
    size.restart();
    size.add(bytes);
  }
  open.push({ ...range, from });
}

/** Bytes of a request body around its documents: `{"documents":[` and `]}`. */
const ENVELOPE_BYTES = 16;

/** Decides from counts and sizes where the batch being filled ends. */
class BatchSize {
  readonly #limits: BatchLimits;
  documents = 0;
  bytes = ENVELOPE_BYTES;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  /**
   * Adds a document, or returns `false` if it doesn't fit. An empty batch takes any document: the
   * service decides about one that is too large for every batch.
   */
  add(bytes: number): boolean {
    const { documents, bytes: maxBytes } = this.#limits;
    const withComma = this.documents === 0 ? bytes : bytes + 1;
    const fits = this.documents < documents && this.bytes + withComma <= maxBytes;
    if (!fits && this.documents > 0) return false;
    this.documents += 1;
    this.bytes += withComma;
    return true;
  }

  restart(): void {
    this.documents = 0;
    this.bytes = ENVELOPE_BYTES;
  }
}

/**
 * Cuts a batch into parts of equal size, give or take one document.
 * @param parts from 1 to the number of its documents
 */
export function cutBatch(batch: Batch, parts: number): readonly Batch[] {
  const indexes = [...Array(batch.count).keys()];
  const start = (part: number): number => Math.floor((part * batch.count) / parts);
  return Array.from({ length: parts }, (_, part) =>
    partOfBatch(batch, indexes.slice(start(part), start(part + 1))),
  );
}

/**
 * Makes a batch of some of a batch's documents, which belongs to the same request in the journal.
 * @param indexes positions in the batch, from 0, in ascending order
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
  return { ...batchOf(ranges), intent: batch.intent, sentOther: batch.sentOther };
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

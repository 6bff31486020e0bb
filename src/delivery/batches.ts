import { type Batch, batchOf, type DocumentRange, endOf, startOf } from '../model/documents.js';
import { DUE, FlushTimer } from '../model/flush-timer.js';

/** Bounds of a batch. */
export interface BatchLimits {
  /** Most documents in a batch; at least 1. */
  readonly documents: number;
  /** Most bytes in a batch's request body; one document that is larger goes alone. */
  readonly bytes: number;
  /** How long a document may wait for others, in milliseconds; by default for ever. */
  readonly flushMs?: number;
}

/**
 * Cuts a stream of documents into batches. Source order is kept, no byte is copied, and only the
 * last batch, or one of documents that have waited long enough, is smaller than it could be. What is a
 * batch already passes as it is.
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
      const batches = 'ranges' in step.value ? [step.value] : filledBatches(step.value, open, size);
      for (const batch of batches) {
        // The time until the consumer asks for more doesn't count.
        flush.stop();
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

/** Adds documents to the open batch, and gives those that are full. */
function* filledBatches(
  range: DocumentRange,
  open: DocumentRange[],
  size: BatchSize,
): Generator<Batch, void, undefined> {
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

/** How many requests documents would take, and how many bytes. Nothing is kept of the documents. */
export class RequestEstimate {
  readonly #open: BatchSize;
  #count = 0;
  #bytes = 0;
  #largest = 0;

  constructor(limits: BatchLimits) {
    this.#open = new BatchSize(limits);
  }

  add({ documents, from, to }: DocumentRange): void {
    for (let index = from; index < to; index += 1) {
      const bytes = endOf(documents, index) - startOf(documents, index);
      if (this.#open.add(bytes)) continue;
      this.#count += 1;
      this.#bytes += this.#open.bytes;
      this.#largest = Math.max(this.#largest, this.#open.bytes);
      this.#open.restart();
      this.#open.add(bytes);
    }
  }

  /** The requests for all that was added. */
  figures(): { readonly count: number; readonly bytes: number; readonly largest: number } {
    if (this.#open.documents === 0) return { count: 0, bytes: 0, largest: 0 };
    const { bytes } = this.#open;
    const largest = Math.max(this.#largest, bytes);
    return { count: this.#count + 1, bytes: this.#bytes + bytes, largest };
  }
}

/** What a request body holds besides its documents: `{"documents":[` and `]}`. */
const ENVELOPE_BYTES = 16;

/** The batch that is being filled: decides from counts and sizes alone where it ends. */
class BatchSize {
  readonly #limits: BatchLimits;
  documents = 0;
  /** Size of the request's body. */
  bytes = ENVELOPE_BYTES;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  /**
   * Adds a document, or answers `false` if there is no room for it. An empty batch takes any, so
   * that one that is too large for every batch is sent, and the service decides.
   */
  add(bytes: number): boolean {
    const { documents, bytes: most } = this.#limits;
    const withComma = this.documents === 0 ? bytes : bytes + 1;
    const fits = this.documents < documents && this.bytes + withComma <= most;
    if (!fits && this.documents > 0) return false;
    this.documents += 1;
    this.bytes += withComma;
    return true;
  }

  /** The next batch has no document yet. */
  restart(): void {
    this.documents = 0;
    this.bytes = ENVELOPE_BYTES;
  }
}

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

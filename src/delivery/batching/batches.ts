import { type Batch, batchOf, type DocumentRange, endOf, startOf } from '../../model/documents.js';

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
 * last batch is smaller than it could be. What is a batch already passes as it is.
 */
export async function* cutBatches(
  documents: AsyncIterable<DocumentRange | Batch>,
  limits: BatchLimits,
): AsyncGenerator<Batch, void, undefined> {
  const size = new OpenBatch(limits);
  const open: DocumentRange[] = [];
  for await (const item of withFlushes(documents, limits.flushMs)) {
    if (item === DUE) {
      size.empty();
      if (open.length > 0) yield batchOf(open.splice(0));
    } else if ('ranges' in item) yield item;
    else yield* filledBatches(item, open, size);
  }
  if (open.length > 0) yield batchOf(open);
}

/** Adds documents to the open batch, and gives those that are full. */
function* filledBatches(
  range: DocumentRange,
  open: DocumentRange[],
  size: OpenBatch,
): Generator<Batch, void, undefined> {
  let from = range.from;
  for (let index = range.from; index < range.to; index += 1) {
    const bytes = endOf(range.documents, index) - startOf(range.documents, index);
    if (size.add(bytes)) continue;
    if (index > from) open.push({ ...range, from, to: index });
    yield batchOf(open.splice(0));
    from = index;
    size.restart(bytes);
  }
  open.push({ ...range, from });
}

/** Marks that gathered documents have waited long enough. */
const DUE = Symbol('due');

/** Yields `DUE` in between, once so much time has passed waiting for items; the consumer's doesn't count. */
async function* withFlushes<T>(
  items: AsyncIterable<T>,
  ms = Number.POSITIVE_INFINITY,
): AsyncGenerator<T | typeof DUE, void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let leftMs = ms;
  try {
    for (let next = iterator.next(); ; ) {
      const waitsFrom = performance.now();
      const step = await before(next, leftMs);
      leftMs = step === DUE ? ms : Math.max(0, leftMs - (performance.now() - waitsFrom));
      if (step === DUE) yield step;
      else if (step.done) return;
      else {
        yield step.value;
        next = iterator.next();
      }
    }
  } finally {
    await iterator.return?.();
  }
}

/** The next item, or `DUE` after so many milliseconds. */
async function before<T>(next: Promise<T>, ms: number): Promise<T | typeof DUE> {
  if (ms === Number.POSITIVE_INFINITY) return await next;
  let timer: NodeJS.Timeout | undefined;
  const due = new Promise<typeof DUE>((resolve) => {
    timer = setTimeout(resolve, ms, DUE);
  });
  return await Promise.race([next, due]).finally(() => clearTimeout(timer));
}

/** How many requests documents would take, and how many bytes. Nothing is kept of the documents. */
export class RequestEstimate {
  readonly #open: OpenBatch;
  #count = 0;
  #bytes = 0;
  #largest = 0;

  constructor(limits: BatchLimits) {
    this.#open = new OpenBatch(limits);
  }

  add({ documents, from, to }: DocumentRange): void {
    for (let index = from; index < to; index += 1) {
      const bytes = endOf(documents, index) - startOf(documents, index);
      if (this.#open.add(bytes)) continue;
      this.#count += 1;
      this.#bytes += this.#open.bytes;
      this.#largest = Math.max(this.#largest, this.#open.bytes);
      this.#open.restart(bytes);
    }
  }

  /** The requests for all that was added. */
  figures(): { readonly count: number; readonly bytes: number; readonly largest: number } {
    const { bytes, documents } = this.#open;
    if (documents === 0) return { count: 0, bytes: 0, largest: 0 };
    return {
      count: this.#count + 1,
      bytes: this.#bytes + bytes,
      largest: Math.max(this.#largest, bytes),
    };
  }
}

/** What a request body holds besides its documents: `{"documents":[` and `]}`. */
const ENVELOPE_BYTES = 16;

/** The batch that is being filled: decides from counts and sizes alone where it ends. */
class OpenBatch {
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
  empty(): void {
    this.documents = 0;
    this.bytes = ENVELOPE_BYTES;
  }

  /** The next batch begins with a document of this size. */
  restart(bytes: number): void {
    this.documents = 1;
    this.bytes = ENVELOPE_BYTES + bytes;
  }
}

import type { Batch } from '../documents.js';
import { cutBatch } from './cut-batch.js';

/** A size, of which only documents or only bytes may be what counts. */
type Size = Pick<Batch, 'count' | 'bytes'>;

/**
 * Learns how large a batch may be from those that the service refuses as too large. Whether it
 * counts documents or bytes it need not say: what it once took in one of the two isn't held to be
 * the reason. What turns out to be taken after all widens the limit again, so that a refusal that
 * was misread costs little.
 */
export class SizeLimit {
  #documents = Number.POSITIVE_INFINITY;
  #bytes = Number.POSITIVE_INFINITY;
  #mostDocuments = 0;
  #mostBytes = 0;

  accepted({ count, bytes }: Size): void {
    this.#mostDocuments = Math.max(this.#mostDocuments, count);
    this.#mostBytes = Math.max(this.#mostBytes, bytes);
    this.#documents = Math.max(this.#documents, count);
    this.#bytes = Math.max(this.#bytes, bytes);
  }

  /** A batch was refused as too large. One document alone tells nothing of the others. */
  refused({ count, bytes }: Size): void {
    if (count === 1) return;
    if (count > this.#mostDocuments) {
      const smaller = Math.max(1, Math.floor(count / 2), this.#mostDocuments);
      this.#documents = Math.min(this.#documents, smaller);
    }
    if (bytes > this.#mostBytes) {
      const smaller = Math.max(1, Math.floor(bytes / 2), this.#mostBytes);
      this.#bytes = Math.min(this.#bytes, smaller);
    }
  }

  /** The batch in parts that keep to the limit; a document that doesn't by itself goes alone. */
  fit(batch: Batch): readonly Batch[] {
    const parts = Math.min(
      batch.count,
      Math.max(Math.ceil(batch.count / this.#documents), Math.ceil(batch.bytes / this.#bytes)),
    );
    if (parts <= 1) return [batch];
    return cutBatch(batch, parts).flatMap((part) => this.fit(part));
  }
}

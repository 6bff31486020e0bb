import type { Batch } from '../../model/documents.js';
import { cutBatch } from './parts.js';

/** A size, of which only documents or only bytes may be what counts. */
type Size = Pick<Batch, 'count' | 'bytes'>;

/**
 * Learns how large a batch may be from those that the service refuses as too large. Whether it
 * counts documents or bytes it need not say: a batch has to keep to one of the two limits that a
 * refusal suggests, until a later one shows which of them is the reason. What turns out to be
 * taken after all widens them again, so that a refusal that was misread costs little.
 */
export class SizeLimit {
  #documents = Number.POSITIVE_INFINITY;
  #bytes = Number.POSITIVE_INFINITY;
  /** The most that was accepted of each. */
  #mostDocuments = 0;
  #mostBytes = 0;
  /** Each of them is known to be counted: no more than was accepted of the other, and refused. */
  #countsDocuments = false;
  #countsBytes = false;

  accepted({ count, bytes }: Size): void {
    this.#mostDocuments = Math.max(this.#mostDocuments, count);
    this.#mostBytes = Math.max(this.#mostBytes, bytes);
    this.#documents = Math.max(this.#documents, count);
    this.#bytes = Math.max(this.#bytes, bytes);
  }

  /** A batch was refused as too large. One document alone tells nothing of the others. */
  refused({ count, bytes }: Size): void {
    if (count === 1) return;
    const newCount = count > this.#mostDocuments;
    const newBytes = bytes > this.#mostBytes;
    if (newCount) {
      const smaller = Math.max(1, Math.floor(count / 2), this.#mostDocuments);
      this.#documents = Math.min(this.#documents, smaller);
      this.#countsDocuments ||= !newBytes;
    }
    if (newBytes) {
      const smaller = Math.max(1, Math.floor(bytes / 2), this.#mostBytes);
      this.#bytes = Math.min(this.#bytes, smaller);
      this.#countsBytes ||= !newCount;
    }
  }

  /** The batch in parts that keep to the limits; a document that doesn't by itself goes alone. */
  fit(batch: Batch): readonly Batch[] {
    const parts = Math.min(batch.count, this.#parts(batch));
    if (parts <= 1) return [batch];
    return cutBatch(batch, parts).flatMap((part) => this.fit(part));
  }

  #parts({ count, bytes }: Size): number {
    const byDocuments = Math.ceil(count / this.#documents);
    const byBytes = Math.ceil(bytes / this.#bytes);
    if (this.#countsDocuments && this.#countsBytes) return Math.max(byDocuments, byBytes);
    if (this.#countsDocuments) return byDocuments;
    return this.#countsBytes ? byBytes : Math.min(byDocuments, byBytes);
  }
}

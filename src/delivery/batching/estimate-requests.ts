import { type DocumentRange, endOf, startOf } from '../../model/documents.js';
import { type BatchLimits, BatchPolicy, ENVELOPE_BYTES } from './batch-policy.js';

/** How many requests documents would take, and how many bytes. Nothing is kept of the documents. */
export class RequestEstimate {
  readonly #policy: BatchPolicy;
  #count = 0;
  #bytes = 0;
  #largest = 0;
  /** Size of the open request's body. */
  #open = 0;

  constructor(limits: BatchLimits) {
    this.#policy = new BatchPolicy(limits);
  }

  add({ documents, from, to }: DocumentRange): void {
    for (let index = from; index < to; index += 1) {
      const bytes = endOf(documents, index) - startOf(documents, index);
      if (!this.#policy.add(bytes)) {
        this.#close();
        this.#policy.add(bytes);
      }
      this.#open += this.#open === 0 ? ENVELOPE_BYTES + bytes : bytes + 1;
    }
  }

  /** The requests for all that was added. */
  figures(): { readonly count: number; readonly bytes: number; readonly largest: number } {
    const open = this.#open > 0 ? 1 : 0;
    return {
      count: this.#count + open,
      bytes: this.#bytes + this.#open,
      largest: Math.max(this.#largest, this.#open),
    };
  }

  #close(): void {
    this.#count += 1;
    this.#bytes += this.#open;
    this.#largest = Math.max(this.#largest, this.#open);
    this.#open = 0;
    this.#policy.reset();
  }
}

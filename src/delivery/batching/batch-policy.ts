/** Bounds of a batch. */
export interface BatchLimits {
  /** Most documents in a batch; at least 1. */
  readonly documents: number;
  /** Most bytes in a batch's request body; one document that is larger goes alone. */
  readonly bytes: number;
}

/** What a request body holds besides its documents: `{"documents":[` and `]}`. */
export const ENVELOPE_BYTES = 16;

/**
 * Decides where one batch ends and the next begins, from counts and sizes alone.
 *
 * `add(bytes)` answers whether the document fits into the open batch. If it doesn't, nothing has
 * been added: close the batch with `reset()` and add the document again. An empty batch takes any
 * document, so that one that is too large for every batch still gets sent and the service decides.
 */
export class BatchPolicy {
  #documents = 0;
  #bytes = ENVELOPE_BYTES;
  readonly #limits: BatchLimits;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  add(bytes: number): boolean {
    const withComma = bytes + (this.#documents === 0 ? 0 : 1);
    const fits =
      this.#documents < this.#limits.documents && this.#bytes + withComma <= this.#limits.bytes;
    if (!fits && this.#documents > 0) return false;
    this.#documents += 1;
    this.#bytes += withComma;
    return true;
  }

  reset(): void {
    this.#documents = 0;
    this.#bytes = ENVELOPE_BYTES;
  }
}

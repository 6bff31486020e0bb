import { DUE, FlushTimer } from '../model/flush-timer.js';

const NONE = Buffer.alloc(0);

/**
 * The bytes of a source that have been read and not yet been cut. They are kept in one stretch of
 * memory that is used again and again, so whoever keeps some of them must copy them.
 */
export class ByteWindow {
  /** What has been read and not been dropped. */
  bytes: Buffer = NONE;
  /** Offset of the first of these bytes in the whole source. */
  offset: number;
  /** Whether no more bytes will come. */
  ended = false;
  /** Why no more bytes will come, if the source did not come to its end. */
  failure: { readonly error: unknown } | undefined;

  readonly #pieces: AsyncIterator<Uint8Array>;
  #store: Buffer = NONE;
  /** The next piece, while it is awaited. */
  #reading: Promise<void> | undefined;
  #start = 0;
  #end = 0;

  /** @param offset of the first piece in the whole source */
  constructor(pieces: AsyncIterable<Uint8Array>, offset: number = 0) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.offset = offset;
  }

  /** Whether the bytes reach to the end of the source. */
  get complete(): boolean {
    return this.ended && this.failure === undefined;
  }

  /**
   * Drops the first `used` bytes, then reads on until there are `wanted` bytes or no more come.
   * @param flushMs how long to wait for them once there are some; by default for ever
   */
  async fill(used: number, wanted: number, flushMs = Number.POSITIVE_INFINITY): Promise<void> {
    this.#start += used;
    this.offset += used;
    const flush = new FlushTimer(flushMs);
    while (!this.ended && this.#end - this.#start < wanted) {
      if (this.#end > this.#start) flush.start();
      this.#reading ??= this.#read(wanted);
      if ((await flush.before(this.#reading)) === DUE) break;
      this.#reading = undefined;
    }
    flush.stop();
    this.bytes = this.#store.subarray(this.#start, this.#end);
  }

  /** Drops bytes that may not have been read yet. */
  async skip(count: number): Promise<void> {
    let left = count;
    while (left > 0) {
      await this.fill(0, 1);
      const used = Math.min(left, this.bytes.length);
      await this.fill(used, 0);
      left -= used;
      if (used === 0) return;
    }
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #read(wanted: number): Promise<void> {
    try {
      const { value, done } = await this.#pieces.next();
      if (done) this.ended = true;
      else this.#append(value, wanted);
    } catch (error) {
      this.ended = true;
      this.failure = { error };
    }
  }

  #append(piece: Uint8Array, wanted: number): void {
    const unread = this.#end - this.#start;
    if (this.#end + piece.length > this.#store.length) {
      const needed = Math.max(wanted, unread) + piece.length;
      const store = needed > this.#store.length ? Buffer.allocUnsafeSlow(needed) : this.#store;
      this.#store.copy(store, 0, this.#start, this.#end);
      this.#store = store;
      this.#start = 0;
      this.#end = unread;
    }
    this.#store.set(piece, this.#end);
    this.#end += piece.length;
  }
}

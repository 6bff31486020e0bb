import { DUE, FlushTimer } from '../model/flush-timer.js';

const EMPTY = Buffer.alloc(0);

/**
 * Bytes of a source that were read and not yet cut into chunks. The buffer is reused: copy what you
 * retain.
 */
export class ByteWindow {
  /** Bytes that were read and not dropped. */
  bytes: Buffer = EMPTY;
  /** Offset of `bytes` in the source. */
  offset: number;
  ended = false;
  /** Read error that ended the source early. */
  failure: { readonly error: unknown } | undefined;

  readonly #pieces: AsyncIterator<Uint8Array>;
  #store: Buffer = EMPTY;
  /** Pending read, if any. */
  #reading: Promise<void> | undefined;
  #start = 0;
  #end = 0;

  /** @param offset position of the first piece in the source */
  constructor(pieces: AsyncIterable<Uint8Array>, offset: number = 0) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.offset = offset;
  }

  /** Returns whether the source was read to its end without an error. */
  get complete(): boolean {
    return this.ended && this.failure === undefined;
  }

  /**
   * Drops the first `used` bytes, then reads until there are `wanted` bytes or the source ends.
   * @param flushMs longest wait for more once there are some bytes; by default no limit
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

  /** Drops the next `count` bytes, reading them first where necessary. */
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

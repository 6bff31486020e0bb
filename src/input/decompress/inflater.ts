import { createInflateRaw, type InflateRaw } from 'node:zlib';

const CHUNK_BYTES = 64 * 1024;

/**
 * Unpacks deflated data slice by slice, and gives all that stands before damage. Node's decoder drops
 * what it holds when it fails, and can't be set back. So a second one follows a slice behind: when
 * the first one fails over a slice, the other goes through it byte by byte.
 */
export class Inflater {
  readonly #first = new Decoder();
  readonly #second = new Decoder();
  #following: Promise<unknown> = Promise.resolve();

  get error(): Error | undefined {
    return this.#first.error;
  }

  /** Whether the data has come to its end. */
  get ended(): boolean {
    return this.#first.ended;
  }

  /** How many bytes of the last slice belong to the data. */
  get taken(): number {
    return this.#first.taken;
  }

  /**
   * What comes out of a slice, which must stay as it is until the next one is written or
   * {@link ready} is through.
   */
  async write(slice: Uint8Array): Promise<readonly Buffer[]> {
    const [unpacked] = await Promise.all([this.#first.write(slice), this.#following]);
    if (this.error !== undefined) return await this.#upToDamage(slice);
    if (!this.ended) this.#following = this.#second.write(slice);
    return unpacked;
  }

  /** Waits until the last slice is not needed any more. */
  async ready(): Promise<void> {
    await this.#following;
  }

  /** For when nothing follows: the data may be whole all the same. */
  async end(): Promise<readonly Buffer[]> {
    await this.#following;
    return await this.#first.end();
  }

  close(): void {
    this.#first.close();
    this.#second.close();
  }

  async #upToDamage(slice: Uint8Array): Promise<readonly Buffer[]> {
    const unpacked: Buffer[] = [];
    for (let at = 0; at < slice.length && this.#second.error === undefined; at += 1) {
      unpacked.push(...(await this.#second.write(slice.subarray(at, at + 1))));
    }
    return unpacked;
  }
}

/** Node's decoder, driven by hand: it knows itself where its data ends. */
class Decoder {
  error: Error | undefined;
  ended = false;
  taken = 0;
  readonly #stream: InflateRaw = createInflateRaw({ chunkSize: CHUNK_BYTES });
  #unpacked: Buffer[] = [];
  #settle: () => void = () => {};

  constructor() {
    this.#stream.on('data', (data: Buffer) => this.#unpacked.push(data));
    this.#stream.on('error', (error) => {
      this.error = error;
      this.#settle();
    });
    // When something follows the data, the stream ends without calling back for the slice.
    this.#stream.on('end', () => {
      this.ended = true;
      this.#settle();
    });
  }

  async write(slice: Uint8Array): Promise<Buffer[]> {
    const before = this.#stream.bytesWritten;
    await new Promise<void>((resolve) => {
      this.#settle = resolve;
      this.#stream.write(slice, () => resolve());
    });
    this.taken = this.#stream.bytesWritten - before;
    return this.#take();
  }

  async end(): Promise<Buffer[]> {
    await new Promise<void>((resolve) => {
      this.#settle = resolve;
      this.#stream.end();
    });
    this.taken = 0;
    return this.#take();
  }

  close(): void {
    this.#stream.destroy();
  }

  #take(): Buffer[] {
    const unpacked = this.#unpacked;
    this.#unpacked = [];
    return unpacked;
  }
}

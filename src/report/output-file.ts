import { closeSync, writeSync } from 'node:fs';
import { DocferryError } from '../errors.js';
import { openPrivately } from './open-privately.js';

/** A file of results that can't be written: the disk is full, or the file is out of reach. */
export class OutputError extends DocferryError {
  override readonly name = 'OutputError';
  readonly exitCode = 4;

  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${path} can't be written: ${reason}. What is in it so far is incomplete.`, { cause });
  }
}

const BUFFER_BYTES = 256 * 1024;

/**
 * A file that is written from its beginning to its end. Small pieces are gathered and written
 * while the caller waits: so memory is bounded, and there is nothing to await.
 */
export class OutputFile {
  readonly path: string;
  readonly #descriptor: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;
  #failure: OutputError | undefined;

  /**
   * Makes the file; one that is there already is emptied. Nobody else may read it.
   * @throws OutputError
   */
  constructor(path: string) {
    this.path = path;
    this.#descriptor = this.#attempt(() => openPrivately(path));
  }

  /** @throws OutputError; once it has failed, always: what follows a gap would mislead */
  write(bytes: Uint8Array): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#used + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) {
      this.#writeAll(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /**
   * Writes what is left. A failure that was told before is not told again.
   * @throws OutputError
   */
  close(): void {
    try {
      if (this.#failure === undefined) this.#flush();
    } finally {
      closeSync(this.#descriptor);
    }
  }

  #flush(): void {
    const bytes = this.#buffer.subarray(0, this.#used);
    this.#used = 0;
    this.#writeAll(bytes);
  }

  #writeAll(bytes: Uint8Array): void {
    let written = 0;
    while (written < bytes.length) {
      written += this.#attempt(() => writeSync(this.#descriptor, bytes, written));
    }
  }

  #attempt<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      this.#failure = new OutputError(this.path, error);
      throw this.#failure;
    }
  }
}

import { close, closeSync, fstatSync, mkdtempSync, openSync, read, rmSync, write } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { BrokenInput } from './broken-input.js';
import type { Decompressed } from './decompress/decompressed.js';
import type { RawInput } from './raw-input.js';

const readBytes = promisify(read);
const writeBytes = promisify(write);

/** Bytes of which any part can be read. */
export interface Seekable {
  readonly size: number;
  /** @throws BrokenInput if there are not as many bytes, or they can't be read */
  read(offset: number, length: number): Promise<Buffer>;
  close(): void;
}

/**
 * An input that has to be read here and there: archives, workbooks and Parquet files have their
 * central directory or footer at the end. A plain file is opened where it lies. What is compressed or comes as a
 * stream is first written to a temporary file, which has no name where the system allows that.
 */
export class SeekableInput {
  readonly #raw: RawInput;
  readonly #decompressed: Decompressed;
  #copy: Promise<Seekable> | undefined;

  constructor(raw: RawInput, decompressed: Decompressed) {
    this.#raw = raw;
    this.#decompressed = decompressed;
  }

  /**
   * Whoever opens it closes what it is given; a copy stays until {@link done} is called.
   * @throws BrokenInput
   */
  async open(): Promise<Seekable> {
    const { file, isMember } = this.#raw;
    if (file !== null && !isMember && this.#decompressed.compression === null) {
      return openSeekable(file.path);
    }
    this.#copy ??= copyOf(this.#decompressed.read());
    return { ...(await this.#copy), close: () => {} };
  }

  /** Releases the copy, if there is one. */
  done(): void {
    this.#copy?.then(
      (copy) => copy.close(),
      () => {},
    );
    this.#copy = undefined;
    this.#raw.close();
  }
}

function openSeekable(file: string): Seekable {
  const descriptor = attempt(() => openSync(file, 'r'));
  return seekable(descriptor, fstatSync(descriptor).size, () => close(descriptor, () => {}));
}

async function copyOf(pieces: AsyncIterable<Uint8Array>): Promise<Seekable> {
  const folder = attempt(() => mkdtempSync(path.join(tmpdir(), 'docferry-input-')));
  const remove = (): boolean => wasRemoved(folder);
  const descriptor = attempt(() => openSync(path.join(folder, 'input'), 'wx+', 0o600));
  const named = !remove();
  const closed = (): void => {
    closeSync(descriptor);
    if (named) remove();
  };
  try {
    let size = 0;
    for await (const piece of pieces) {
      await writeWhole(descriptor, piece, size);
      size += piece.length;
    }
    return seekable(descriptor, size, closed);
  } catch (error) {
    closed();
    throw error;
  }
}

async function writeWhole(descriptor: number, piece: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < piece.length; ) {
    const written = await writeBytes(descriptor, piece, at, piece.length - at, position + at).catch(
      (error: unknown) => {
        throw noCopy(error);
      },
    );
    at += written.bytesWritten;
  }
}

/** Where a file that is open can't be removed, it is removed when it has been closed. */
function wasRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true });
    return true;
  } catch {
    return false;
  }
}

function seekable(descriptor: number, size: number, closed: () => void): Seekable {
  return {
    size,
    async read(offset, length) {
      if (!(offset >= 0 && length >= 0 && offset + length <= size)) throw endsEarly();
      const bytes = Buffer.allocUnsafeSlow(length);
      for (let at = 0; at < length; ) {
        const { bytesRead } = await readBytes(descriptor, bytes, at, length - at, offset + at);
        if (bytesRead === 0) throw endsEarly();
        at += bytesRead;
      }
      return bytes;
    },
    close: closed,
  };
}

function endsEarly(): BrokenInput {
  return new BrokenInput('it ends early', 'Fetch the whole file again, then run the import again.');
}

function attempt<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw noCopy(error);
  }
}

function noCopy(error: unknown): BrokenInput {
  const { code, message } = error as NodeJS.ErrnoException;
  return new BrokenInput(
    `it, or the temporary copy that it takes, can't be opened or written in ${tmpdir()} (${code ?? message})`,
    'Make it readable and make room there, or name another folder in the variable TMPDIR.',
  );
}

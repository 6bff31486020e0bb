import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Decompressed } from './decompress/decompressed.js';
import { BrokenInput, type RawInput } from './raw-input.js';

/** Bytes of which any part can be read. */
export interface Seekable {
  readonly size: number;
  /** Of the file that holds them. */
  readonly descriptor: number;
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
      return await attempt(async () => seekable(await open(file.path)));
    }
    this.#copy ??= attempt(() => copyOf(this.#decompressed.read()));
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

async function copyOf(pieces: AsyncIterable<Uint8Array>): Promise<Seekable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docferry-input-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => {});
  let file: FileHandle | undefined;
  try {
    file = await open(path.join(folder, 'input'), 'wx+', 0o600);
    await remove();
    await writeFile(file, pieces);
    // Where a file that is open can't be removed, it is removed when it has been closed.
    return await seekable(file, remove);
  } catch (error) {
    await file?.close();
    await remove();
    throw error;
  }
}

async function seekable(file: FileHandle, closed?: () => Promise<void>): Promise<Seekable> {
  const { size } = await file.stat();
  return {
    size,
    descriptor: file.fd,
    async read(offset, length) {
      if (!(offset >= 0 && length >= 0 && offset + length <= size)) throw endsEarly();
      const bytes = Buffer.allocUnsafeSlow(length);
      for (let at = 0; at < length; ) {
        const { bytesRead } = await file.read(bytes, at, length - at, offset + at);
        if (bytesRead === 0) throw endsEarly();
        at += bytesRead;
      }
      return bytes;
    },
    close() {
      file
        .close()
        .then(closed)
        .catch(() => {});
    },
  };
}

function endsEarly(): BrokenInput {
  return new BrokenInput('it ends early', 'Fetch the whole file again, then run the import again.');
}

async function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof BrokenInput) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BrokenInput(
      `it, or the temporary copy that it takes, can't be opened or written in ${tmpdir()} (${code ?? message})`,
      'Make it readable and make room there, or name another folder in the variable TMPDIR.',
    );
  }
}

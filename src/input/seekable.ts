import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BrokenInput } from './broken-input.js';
import type { Decompressed } from './decompress.js';
import type { RawInput } from './raw-input.js';

/** Random access to bytes. */
export interface Seekable {
  readonly size: number;
  /** File descriptor. */
  readonly descriptor: number;
  /**
   * Reads into a buffer of its own.
   * @throws BrokenInput if the range is outside of the file or can't be read
   */
  read(offset: number, length: number): Promise<Buffer<ArrayBuffer>>;
  close(): void;
}

/**
 * Input that needs random access: archives, workbooks and Parquet files have their central
 * directory or footer at the end. A plain file is opened in place; a stream or compressed input is
 * first copied to a temporary file, which is unlinked at once where the system allows that.
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
   * Opens the input; the caller closes the result. A copy stays until {@link release}.
   * @throws BrokenInput
   */
  async open(): Promise<Seekable> {
    const { file, isMember } = this.#raw;
    if (file !== null && !isMember && this.#decompressed.compression === null) {
      return await withBrokenInput(async () => seekable(await open(file.path)));
    }
    this.#copy ??= withBrokenInput(() => copyToFile(this.#decompressed.read()));
    return { ...(await this.#copy), close: () => {} };
  }

  /** Deletes the copy, if any. */
  release(): void {
    this.#copy?.then(
      (copy) => copy.close(),
      () => {},
    );
    this.#copy = undefined;
    this.#raw.close();
  }
}

async function copyToFile(pieces: AsyncIterable<Uint8Array>): Promise<Seekable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docferry-input-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => {});
  let file: FileHandle | undefined;
  try {
    file = await open(path.join(folder, 'input'), 'wx+', 0o600);
    await remove();
    await writeFile(file, pieces);
    // Windows can't delete an open file, so there it is deleted once it is closed.
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
      if (!(offset >= 0 && length >= 0 && offset + length <= size)) throw truncated();
      const bytes = Buffer.allocUnsafeSlow(length);
      for (let at = 0; at < length; ) {
        const { bytesRead } = await file.read(bytes, at, length - at, offset + at);
        if (bytesRead === 0) throw truncated();
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

function truncated(): BrokenInput {
  return new BrokenInput('it ends early', 'Download or copy the whole file again.');
}

async function withBrokenInput<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof BrokenInput) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BrokenInput(
      `it, or its temporary copy in ${tmpdir()}, can't be opened or written (${code ?? message})`,
      'Make it readable and make room there, or set TMPDIR to another folder.',
    );
  }
}

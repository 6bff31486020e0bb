import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DocferryError } from '../model/errors.js';
import { ENTRY_BYTES, type Entries } from './entry.js';
import { PAGE_ENTRIES, type Pages } from './run.js';

/** The temporary file for remembered ids can't be made, written or read. */
export class SpillError extends DocferryError {
  override readonly name = 'SpillError';
  readonly exitCode = 4;

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `The ids that no longer fit into memory can't be kept in a file in ${tmpdir()}: ${reason}. Make room there, name another folder in the variable TMPDIR, or let more memory be used for them (--remember-bytes, rememberBytes).`,
      { cause },
    );
  }
}

const PAGE_BYTES = PAGE_ENTRIES * ENTRY_BYTES;

/** A temporary file of pages. It has no name, as far as the system allows that: it ends with us. */
export class SpillFile implements Pages {
  readonly #descriptor: number;
  /** Folder to be removed at the end, where an open file can't be. */
  readonly #folder: string | undefined;
  readonly #bytes = Buffer.alloc(PAGE_BYTES);
  readonly #page: Entries = entriesIn(this.#bytes);
  #pages = 0;

  /** @throws SpillError */
  constructor() {
    const folder = attempt(() => mkdtempSync(path.join(tmpdir(), 'docferry-ids-')));
    try {
      this.#descriptor = attempt(() => openSync(path.join(folder, 'ids'), 'wx+', 0o600));
    } finally {
      this.#folder = wasRemoved(folder) ? undefined : folder;
    }
  }

  /**
   * Writes a page at the file's end.
   * @returns its number
   * @throws SpillError
   */
  append(entries: Entries, from: number, to: number): number {
    this.#page.keys.set(entries.keys.subarray(from, to));
    this.#page.rests.set(entries.rests.subarray(from, to));
    this.#page.contents.set(entries.contents.subarray(from, to));
    this.#page.ordinals.set(entries.ordinals.subarray(from, to));
    const position = this.#pages * PAGE_BYTES;
    let written = 0;
    while (written < PAGE_BYTES) {
      const rest = PAGE_BYTES - written;
      written += attempt(() =>
        writeSync(this.#descriptor, this.#bytes, written, rest, position + written),
      );
    }
    this.#pages += 1;
    return this.#pages - 1;
  }

  /**
   * Reads a page. What it gives is overwritten by the next call of any method.
   * @throws SpillError
   */
  entriesOf(page: number): Entries {
    let got = 0;
    while (got < PAGE_BYTES) {
      const position = page * PAGE_BYTES + got;
      const length = PAGE_BYTES - got;
      const more = attempt(() => readSync(this.#descriptor, this.#bytes, got, length, position));
      if (more === 0) throw new SpillError(new Error('the file is shorter than it was'));
      got += more;
    }
    return this.#page;
  }

  startOf(): number {
    return 0;
  }

  close(): void {
    closeSync(this.#descriptor);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

function entriesIn({ buffer, byteOffset }: Buffer): Entries {
  return {
    keys: new Uint32Array(buffer, byteOffset, PAGE_ENTRIES),
    rests: new Uint32Array(buffer, byteOffset + 4 * PAGE_ENTRIES, PAGE_ENTRIES),
    ordinals: new Uint32Array(buffer, byteOffset + 8 * PAGE_ENTRIES, PAGE_ENTRIES),
    contents: new Uint16Array(buffer, byteOffset + 12 * PAGE_ENTRIES, PAGE_ENTRIES),
  };
}

/** Takes away the name of an open file: then it is gone with its process, however that ends. */
function wasRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true });
    return true;
  } catch {
    return false;
  }
}

function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new SpillError(error);
  }
}

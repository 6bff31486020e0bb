import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { isDevice, makeFolderOf, OutputError, openPrivately } from './output-file.js';

/** Start of each line, which identifies a file of events. */
const LINE_START = '{"type":"';
const NEWLINE = 0x0a;
const BLOCK_BYTES = 64 * 1024;

/**
 * Appends events to a file, one per line. Each is written synchronously, so a killed process loses
 * none; an incomplete line that one has left is removed on opening. Devices and pipes are written
 * to directly.
 */
export class EventLog {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #onFailure: (error: OutputError) => void;
  #failed = false;
  #closed = false;

  /**
   * @param onFailure called once if the file can't be written; nothing is written afterwards
   * @throws OutputError if it can't be opened
   */
  constructor(path: string, onFailure: (error: OutputError) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
    try {
      makeFolderOf(path);
      this.#descriptor = openForAppend(path);
    } catch (error) {
      throw new OutputError(path, error);
    }
  }

  write(event: object): void {
    // Events after a gap would be misleading.
    if (this.#failed) return;
    this.#attempt(() => writeFileSync(this.#descriptor, `${JSON.stringify(event)}\n`));
  }

  /** Does nothing the second time: by then the descriptor may be another file's. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#attempt(() => {
      try {
        if (!isDevice(this.#path)) fsyncSync(this.#descriptor);
      } finally {
        closeSync(this.#descriptor);
      }
    });
  }

  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      const isFirst = !this.#failed;
      // Before the call, which may throw.
      this.#failed = true;
      if (isFirst) this.#onFailure(new OutputError(this.#path, error));
    }
  }
}

/** Returns whether events can be appended: the file contains events, is empty, or doesn't exist. */
export function holdsEvents(path: string): boolean {
  try {
    if (isDevice(path) || lstatSync(path, { throwIfNoEntry: false }) === undefined) return true;
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return startsLikeEvents(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Unreadable, or a link.
    return false;
  }
}

function startsLikeEvents(descriptor: number): boolean {
  const buffer = Buffer.alloc(LINE_START.length);
  const read = readSync(descriptor, buffer, 0, buffer.length, 0);
  return LINE_START.startsWith(buffer.toString('utf8', 0, read));
}

function openForAppend(path: string): number {
  if (isDevice(path)) return openSync(path, constants.O_WRONLY);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;
  const descriptor = openPrivately(path, flags);
  try {
    // The path may have been replaced since it was checked.
    if (!startsLikeEvents(descriptor)) throw new Error('it was replaced by another file');
    ftruncateSync(descriptor, wholeLinesLength(descriptor, fstatSync(descriptor).size));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Number of bytes up to the last line end. */
function wholeLinesLength(descriptor: number, size: number): number {
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const read = readSync(descriptor, block, 0, end - start, start);
    const last = block.subarray(0, read).lastIndexOf(NEWLINE);
    if (last >= 0) return start + last + 1;
    end = start;
  }
  return 0;
}

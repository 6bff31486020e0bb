import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { isDevice, OutputError } from './output-file.js';

const PRIVATE = 0o600;
const NEWLINE = 0x0a;
const BLOCK_BYTES = 64 * 1024;

/**
 * A file to which lines are added, at once and for good: whoever kills the process loses none that
 * was written. A piece of a line that a killed process has left at the end is taken away, as nobody
 * could read it. Devices and pipes are written to as they are.
 */
export class LogFile {
  readonly #path: string;
  readonly #descriptor: number;

  /** @throws OutputError */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = this.#attempt(() => openWhole(path));
  }

  /** @throws OutputError */
  add(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    let written = 0;
    while (written < bytes.length) {
      written += this.#attempt(() => writeSync(this.#descriptor, bytes, written));
    }
  }

  /** @throws OutputError */
  close(): void {
    this.#attempt(() => {
      try {
        if (!isDevice(this.#path)) fsyncSync(this.#descriptor);
      } finally {
        closeSync(this.#descriptor);
      }
    });
  }

  #attempt<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw new OutputError(this.#path, error);
    }
  }
}

/** The beginning of a file, or nothing if there is none, or it is a device. */
export function beginningOf(path: string, bytes: number): string {
  if (!existsSync(path) || isDevice(path)) return '';
  const descriptor = openSync(path, constants.O_RDONLY);
  try {
    const buffer = Buffer.alloc(bytes);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, bytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

function openWhole(path: string): number {
  if (isDevice(path)) return openSync(path, constants.O_WRONLY);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;
  const descriptor = openSync(path, flags, PRIVATE);
  try {
    ftruncateSync(descriptor, wholeLines(descriptor, statSync(path).size));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** How many bytes the whole lines take. */
function wholeLines(descriptor: number, size: number): number {
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const read = readSync(descriptor, block, 0, end - start, start);
    const last = block.lastIndexOf(NEWLINE, read - 1);
    if (last >= 0 && last < read) return start + last + 1;
    end = start;
  }
  return 0;
}

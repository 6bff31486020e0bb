import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
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

  /**
   * @param beginning what a file must begin with that is there already
   * @throws OutputError
   */
  constructor(path: string, beginning: string) {
    this.#path = path;
    this.#descriptor = this.#attempt(() => openWhole(path, beginning));
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
    return textAt(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
}

function textAt(descriptor: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, bytes, 0));
}

function openWhole(path: string, beginning: string): number {
  if (isDevice(path)) return openSync(path, constants.O_WRONLY);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;
  const descriptor = openSync(path, flags, PRIVATE);
  try {
    // Its name may lead elsewhere by now than when it was checked.
    if (!beginning.startsWith(textAt(descriptor, beginning.length))) {
      throw new Error('another file has been put in its place meanwhile');
    }
    ftruncateSync(descriptor, wholeLines(descriptor, fstatSync(descriptor).size));
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

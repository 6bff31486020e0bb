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
import type { EventSink } from '../outcomes/events.js';
import { isDevice, OutputError } from '../outputs/output-file.js';
import type { RunEvent } from './report.js';

/** How each line begins, which tells a file of events from another one. */
const BEGINNING = '{"type":"';
const PRIVATE = 0o600;
const NEWLINE = 0x0a;
const BLOCK_BYTES = 64 * 1024;

/**
 * A file of events, one a line, that runs add to, at once and for good: whoever kills the process loses
 * none that was written. A piece of a line that a killed process has left at the end is taken away.
 * Devices and pipes are written to as they are.
 */
export class EventLog implements EventSink {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #onFailure: (error: OutputError) => void;
  #failed = false;

  /**
   * @param onFailure told once if the file can't be written: nothing is from then on
   * @throws OutputError if it can't be opened
   */
  constructor(path: string, onFailure: (error: OutputError) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
    try {
      this.#descriptor = openWhole(path);
    } catch (error) {
      throw new OutputError(path, error);
    }
  }

  write(event: RunEvent): void {
    // What follows a gap would mislead.
    if (this.#failed) return;
    const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
    this.#attempt(() => {
      let written = 0;
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
    });
  }

  close(): void {
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
      if (!this.#failed) this.#onFailure(new OutputError(this.#path, error));
      this.#failed = true;
    }
  }
}

/** Whether events can be added to a file: it holds such, or nothing, or isn't there. */
export function holdsEvents(path: string): boolean {
  try {
    if (!existsSync(path) || isDevice(path)) return true;
    const descriptor = openSync(path, constants.O_RDONLY);
    try {
      return beginsAsEvents(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Out of reach: whoever writes it says so.
    return false;
  }
}

function beginsAsEvents(descriptor: number): boolean {
  const buffer = Buffer.alloc(BEGINNING.length);
  const read = readSync(descriptor, buffer, 0, buffer.length, 0);
  return BEGINNING.startsWith(buffer.toString('utf8', 0, read));
}

function openWhole(path: string): number {
  if (isDevice(path)) return openSync(path, constants.O_WRONLY);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;
  const descriptor = openSync(path, flags, PRIVATE);
  try {
    // Its name may lead elsewhere by now than when it was checked.
    if (!beginsAsEvents(descriptor)) {
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
    const last = block.subarray(0, read).lastIndexOf(NEWLINE);
    if (last >= 0) return start + last + 1;
    end = start;
  }
  return 0;
}

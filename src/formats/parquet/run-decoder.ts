import { readSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { AsyncBuffer } from 'hyparquet';
import { BrokenInput } from '../../input/broken-input.js';
import {
  type DecoderMessage,
  type DecoderTask,
  LENGTH_BYTES,
  MESSAGE_MARK,
  REMEDY,
} from './decoder-messages.js';
import { decodedGroups, readMetadata, rowsOf, unreadable } from './row-groups.js';

/**
 * What a process of its own runs: it decodes one Parquet file after another. It asks for their
 * bytes, and writes rows as lines. Reading and writing wait, so that it comes no further than is
 * wanted.
 */

/** About how much is written at a time. */
const BLOCK_BYTES = 64 * 1024;
/** Reasons may quote names that stand in the file. */
const LONGEST_REASON = 300;
const INPUT = 0;
const OUTPUT = 1;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 2;

// Whoever started it decides when it ends: a terminal tells both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('unhandledRejection', fail);
process.on('uncaughtException', fail);
new Worker(new URL('./run-watcher.js', import.meta.url), {
  workerData: { parent: process.ppid, mostBytes: Number(process.argv[2]) },
  // If its output went on to that of the process, writing would not wait any more.
  stdout: true,
  stderr: true,
});
for (;;) await decode(nextTask());

async function decode(task: DecoderTask): Promise<void> {
  try {
    const file = await readMetadata(bytesOf(task));
    tell({ kind: 'found', rows: rowsOf(file) });
    if (task.act === 'read') {
      const starts = (index: number, bytes: number): void => tell({ kind: 'group', index, bytes });
      for await (const lines of decodedGroups(file, starts)) writeLines(lines, task);
    }
    tell({ kind: 'done' });
  } catch (error) {
    fail(error);
  }
}

/** All lines of a row group are out before the next one is decoded. */
function writeLines(lines: Iterable<string>, { maxLineBytes }: DecoderTask): void {
  let block: Buffer[] = [];
  let bytes = 0;
  for (const line of lines) {
    const whole = Buffer.from(`${line}\n`);
    const written = whole.length > maxLineBytes ? cutOff(whole, maxLineBytes) : whole;
    block.push(written);
    bytes += written.length;
    if (bytes < BLOCK_BYTES) continue;
    write(Buffer.concat(block));
    block = [];
    bytes = 0;
  }
  write(Buffer.concat(block));
}

function cutOff(line: Buffer, length: number): Buffer {
  return Buffer.concat([line.subarray(0, length), Buffer.from('\n')]);
}

/**
 * The bytes of the file. They are there at once when they are asked for: of several that are under
 * way, the reader would leave the failure of the second one to nobody.
 */
function bytesOf({ size }: DecoderTask): AsyncBuffer {
  return {
    byteLength: size,
    slice(start, end = size) {
      const from = start < 0 ? Math.max(0, size + start) : start;
      const length = Math.min(end, size) - from;
      if (!(Number.isSafeInteger(from) && from >= 0 && length >= 0)) {
        throw new BrokenInput('its Parquet data is not where the file says', REMEDY);
      }
      tell({ kind: 'wants', from, length });
      return receive(length).buffer as ArrayBuffer;
    },
  };
}

function nextTask(): DecoderTask {
  const length = receive(LENGTH_BYTES).readUInt32LE(0);
  return JSON.parse(receive(length).toString('utf8')) as DecoderTask;
}

function receive(length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const read = waiting(() => readSync(INPUT, bytes, at, length - at, null));
    if (read === 0) process.exit();
    at += read;
  }
  return bytes;
}

function tell(message: DecoderMessage): void {
  write(Buffer.from(`${MESSAGE_MARK}${JSON.stringify(message)}\n`));
}

function fail(error: unknown): never {
  const { message, remedy } = unreadable(error);
  tell({ kind: 'broken', reason: message.slice(0, LONGEST_REASON), remedy });
  process.exit();
}

function write(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += waiting(() => writeSync(OUTPUT, bytes, at));
}

/** How much was read or written, at last. When nobody is there any more, nothing is left to do. */
function waiting(act: () => number): number {
  for (;;) {
    try {
      return act();
    } catch (error) {
      // Not every system lets it wait for its turn.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') process.exit();
      Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
    }
  }
}

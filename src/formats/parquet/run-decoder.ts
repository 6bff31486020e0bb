/**
 * Program of the decoder process: decodes one Parquet file, whose descriptor it inherits, and
 * writes its rows to stdout, a JSON object per line, or their number.
 */
import { fstatSync, readSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import type { AsyncBuffer } from 'hyparquet';
import { BrokenInput } from '../../input/raw-input.js';
import { REMEDY } from './check-pages.js';
import { readMetadata, rowGroups, rowsOf, unreadable } from './row-groups.js';

/** Messages in addition to the rows. */
export type DecoderMessage =
  /** Sent before a row group is decoded, with its size in the file. */
  | { readonly kind: 'group'; readonly index: number; readonly bytes: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'broken'; readonly reason: string; readonly remedy: string };

/** Descriptor of the file; 3 is the IPC channel. */
const FILE_DESCRIPTOR = 4;
/** Characters of rows per write. */
const ROWS_LENGTH = 256 * 1024;
/** Limits reasons, which may quote names from the file. */
const MAX_REASON_LENGTH = 300;
const WATCH_EVERY_MS = 200;

if (isMainThread) await run();
else watch(workerData);

async function run(): Promise<void> {
  const [wanted, maxBytes] = process.argv.slice(2);
  // The parent decides when to stop: a terminal signals both.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit());
  process.on('unhandledRejection', (error) => end(broken(error)));
  process.on('uncaughtException', (error) => end(broken(error)));
  new Worker(new URL(import.meta.url), {
    workerData: { parent: process.ppid, maxBytes: Number(maxBytes) },
  });
  try {
    const file = await readMetadata(inheritedFile());
    if (wanted === 'count') await write(String(rowsOf(file)));
    else await writeRows(file);
    end({ kind: 'done' });
  } catch (error) {
    end(broken(error));
  }
}

/** Writes all rows of a row group before the next one is decoded. */
async function writeRows(file: Parameters<typeof rowGroups>[0]): Promise<void> {
  for (const { index, bytes, lines } of rowGroups(file)) {
    sendMessage({ kind: 'group', index, bytes });
    let rows = '';
    for (const line of await lines()) {
      rows += `${line}\n`;
      if (rows.length < ROWS_LENGTH) continue;
      await write(rows);
      rows = '';
    }
    await write(rows);
  }
}

/** Waits for the write, for backpressure. */
async function write(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

function inheritedFile(): AsyncBuffer {
  const { size } = fstatSync(FILE_DESCRIPTOR);
  return {
    byteLength: size,
    async slice(start, end = size) {
      const from = start < 0 ? Math.max(0, size + start) : start;
      const length = Math.min(end, size) - from;
      if (!(Number.isSafeInteger(from) && from >= 0 && length >= 0)) {
        throw new BrokenInput('its Parquet data is not at the stated position', REMEDY);
      }
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; ) {
        const read = readSync(FILE_DESCRIPTOR, bytes, at, length - at, from + at);
        if (read === 0) throw new BrokenInput('it ends early', REMEDY);
        at += read;
      }
      return bytes.buffer;
    },
  };
}

function broken(error: unknown): DecoderMessage {
  const { message, remedy } = unreadable(error);
  return { kind: 'broken', reason: message.slice(0, MAX_REASON_LENGTH), remedy };
}

function end(message: DecoderMessage): void {
  sendMessage(message, () => process.exit());
}

/** Errors are ignored: without a parent there is nothing to do. */
function sendMessage(message: DecoderMessage, onSent: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, onSent);
}

/**
 * Runs on a thread, as the main one may be too busy. Exits the process if it takes too much memory
 * (V8 limits only its own heap) or the parent is gone.
 */
function watch({ parent, maxBytes }: { readonly parent: number; readonly maxBytes: number }): void {
  setInterval(() => {
    const takesTooMuch = process.memoryUsage.rss() > maxBytes;
    if (takesTooMuch || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, WATCH_EVERY_MS);
}

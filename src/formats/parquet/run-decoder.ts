/**
 * What a process of its own runs: it decodes one Parquet file, of which it inherits a descriptor,
 * and writes its rows to stdout, each as a JSON object on a line, or their number.
 */
import { fstatSync, readSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import type { AsyncBuffer } from 'hyparquet';
import { BrokenInput } from '../../input/raw-input.js';
import { REMEDY, readMetadata, rowGroups, rowsOf, unreadable } from './row-groups.js';

/** What it tells beside the rows. */
export type DecoderMessage =
  /** A row group is going to be decoded, which has so many bytes in the file. */
  | { readonly kind: 'group'; readonly index: number; readonly bytes: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'broken'; readonly reason: string; readonly remedy: string };

/** The descriptor of the file, behind the channel for messages. */
const FILE = 4;
/** So many characters of rows are written at a time. */
const ROWS_LENGTH = 256 * 1024;
/** Reasons may quote names that stand in the file. */
const MAX_REASON_LENGTH = 300;
const WATCH_EVERY_MS = 200;

if (isMainThread) await run();
else watch(workerData);

async function run(): Promise<void> {
  const [wanted, maxBytes] = process.argv.slice(2);
  // Whoever started it decides when it ends: a terminal tells both.
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

/** All rows of a row group are out before the next one is decoded. */
async function writeRows(file: Parameters<typeof rowGroups>[0]): Promise<void> {
  for (const { index, bytes, lines } of rowGroups(file)) {
    tell({ kind: 'group', index, bytes });
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

/** Waits until it has gone out, so that it comes no further than is wanted. */
async function write(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

function inheritedFile(): AsyncBuffer {
  const { size } = fstatSync(FILE);
  return {
    byteLength: size,
    async slice(start, end = size) {
      const from = start < 0 ? Math.max(0, size + start) : start;
      const length = Math.min(end, size) - from;
      if (!(Number.isSafeInteger(from) && from >= 0 && length >= 0)) {
        throw new BrokenInput('its Parquet data is not where the file says', REMEDY);
      }
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; ) {
        const read = readSync(FILE, bytes, at, length - at, from + at);
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
  tell(message, () => process.exit());
}

/** When nobody is there any more, nothing is left to do. */
function tell(message: DecoderMessage, told: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, told);
}

/**
 * What a thread of the process does: it ends the process when that takes too much memory, of which
 * V8 bounds only its own objects, and when whoever started it is gone. The process itself may be
 * too busy to notice.
 */
function watch({ parent, maxBytes }: { readonly parent: number; readonly maxBytes: number }): void {
  setInterval(() => {
    const takesTooMuch = process.memoryUsage.rss() > maxBytes;
    if (takesTooMuch || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, WATCH_EVERY_MS);
}

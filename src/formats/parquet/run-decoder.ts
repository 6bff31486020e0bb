/**
 * What a process of its own runs: it decodes one Parquet file after another. It asks for their
 * bytes, and gives some rows for each request, so that it comes no further than is wanted.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import type { AsyncBuffer } from 'hyparquet';
import { BrokenInput } from '../../input/broken-input.js';
import { REMEDY, readMetadata, rowGroups, rowsOf, unreadable } from './row-groups.js';

/** A file that is to be decoded. */
export interface DecoderTask {
  /** In bytes. */
  readonly size: number;
}

/** Each but bytes, which the process has asked for, is answered once. */
export type DecoderRequest = DecoderTask | 'next' | Uint8Array;

export type DecoderAnswer =
  /** It waits for so many bytes of the file. */
  | { readonly kind: 'wants'; readonly from: number; readonly length: number }
  | { readonly kind: 'found'; readonly rows: number }
  /** A row group is going to be decoded, which has so many bytes in the file. */
  | { readonly kind: 'group'; readonly index: number; readonly bytes: number }
  /** Some rows of it, each as a JSON object on a line. */
  | { readonly kind: 'rows'; readonly lines: Uint8Array }
  | { readonly kind: 'done' }
  | { readonly kind: 'broken'; readonly reason: string; readonly remedy: string };

/** So much of the file is asked for at a time. */
const PIECE_BYTES = 1024 * 1024;
/** So many characters of rows are given at a time. */
const ROWS_LENGTH = 256 * 1024;
/** Reasons may quote names that stand in the file. */
const MAX_REASON_LENGTH = 300;
const WATCH_EVERY_MS = 200;

/** Who waits for bytes of the file, in order. */
const waiting: ((bytes: Uint8Array) => void)[] = [];

if (isMainThread) answerRequests();
else watch(workerData);

function answerRequests(): void {
  // Whoever started it decides when it ends: a terminal tells both.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit());
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);
  new Worker(new URL(import.meta.url), {
    workerData: { parent: process.ppid, maxBytes: Number(process.argv[2]) },
  });
  let answers: AsyncIterator<DecoderAnswer> | undefined;
  process.on('message', async (request: DecoderRequest) => {
    if (request instanceof Uint8Array) {
      waiting.shift()?.(request);
      return;
    }
    if (request !== 'next') answers = decode(request);
    tell((await answers?.next())?.value);
  });
}

/** All rows of a row group are out before the next one is decoded. */
async function* decode({ size }: DecoderTask): AsyncGenerator<DecoderAnswer, void, undefined> {
  let rows = '';
  const given = (): DecoderAnswer => {
    const lines = Buffer.from(rows);
    rows = '';
    return { kind: 'rows', lines };
  };
  try {
    const file = await readMetadata(bytesOf(size));
    yield { kind: 'found', rows: rowsOf(file) };
    for (const { index, bytes, lines } of rowGroups(file)) {
      yield { kind: 'group', index, bytes };
      for (const line of await lines()) {
        rows += `${line}\n`;
        if (rows.length >= ROWS_LENGTH) yield given();
      }
      yield given();
    }
    yield { kind: 'done' };
  } catch (error) {
    yield given();
    yield broken(error);
  }
}

function bytesOf(size: number): AsyncBuffer {
  return {
    byteLength: size,
    async slice(start, end = size) {
      const from = start < 0 ? Math.max(0, size + start) : start;
      const length = Math.min(end, size) - from;
      if (!(Number.isSafeInteger(from) && from >= 0 && length >= 0)) {
        throw new BrokenInput('its Parquet data is not where the file says', REMEDY);
      }
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; at += PIECE_BYTES) {
        bytes.set(await ask(from + at, Math.min(PIECE_BYTES, length - at)), at);
      }
      return bytes.buffer;
    },
  };
}

function ask(from: number, length: number): Promise<Uint8Array> {
  tell({ kind: 'wants', from, length });
  return new Promise((resolve) => waiting.push(resolve));
}

function fail(error: unknown): void {
  tell(broken(error), () => process.exit());
}

function broken(error: unknown): DecoderAnswer {
  const { message, remedy } = unreadable(error);
  return { kind: 'broken', reason: message.slice(0, MAX_REASON_LENGTH), remedy };
}

/** When nobody is there any more, nothing is left to do. */
function tell(answer: DecoderAnswer | undefined, told: () => void = () => {}): void {
  process.send?.(answer, undefined, undefined, told);
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

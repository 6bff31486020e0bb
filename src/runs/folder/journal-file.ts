/**
 * A journal as a file: a line of JSON for each fact, numbered from 1, that begins with a CRC-32 of the
 * rest of it. The first line says whose journal it is, and what the run is.
 */
import { Buffer } from 'node:buffer';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { PublishedWindow } from '../../model/documents.js';
import { JournalError } from '../../model/errors.js';
import type { RecordRange, SentOutcome } from '../../model/record-ranges.js';
import type { RunFacts } from '../store.js';
import { journalError } from './run-files.js';

export const FORMAT = 1;

/** Input, first and last record of a range. */
type Triple = readonly [number, number, number];

/** What a line says, without its number. */
export type Fact =
  /** A request that is about to be made; it has its line's number. */
  | {
      /** Milliseconds since 1970. */
      readonly at: number;
      readonly intent: readonly Triple[];
      readonly published: PublishedWindow | null;
      /** Eight bytes a document, in base64. */
      readonly idHashes: string;
      readonly digests: string;
      /** Written as pieces of JSON, see {@link lineOf}. */
      readonly ids?: readonly (string | null)[];
    }
  /** What became of documents of a request. */
  | {
      readonly at: number;
      readonly settles: number;
      readonly records: readonly Triple[];
      readonly outcome: SentOutcome;
      readonly message: string;
    }
  /** Of the whole run. */
  | {
      readonly fact: keyof RunFacts;
      /** `null`: it no longer holds. */
      readonly value: unknown;
      /** In the first line. */
      readonly journal?: number;
      readonly run?: string;
    };

/** A line as it is read. */
export type Entry = Fact & { readonly n: number };

const START_BYTES = 18;

/**
 * A line, with its number.
 * @param ids the sourceIds of an intent in pieces of a JSON list: most of a line need not be made again
 */
export function lineOf(n: number, fact: Fact, ids: readonly Uint8Array[] = []): Buffer {
  const fields = JSON.stringify({ n, ...fact }).slice(1, -1);
  const list = ids.flatMap((piece, at) => [Buffer.from(at === 0 ? ',"ids":[' : ','), piece]);
  const end = ids.length === 0 ? '}\n' : ']}\n';
  const body = Buffer.concat([Buffer.from(fields), ...list, Buffer.from(end)]);
  return Buffer.concat([Buffer.from(startOf(body)), body]);
}

function startOf(body: Uint8Array): string {
  return `{"crc":"${crc32(body).toString(16).padStart(8, '0')}",`;
}

/** `undefined`: it isn't what was written, or not all of it. */
export function parseLine(line: Buffer): Entry | undefined {
  const start = line.toString('latin1', 0, START_BYTES);
  if (start !== startOf(line.subarray(START_BYTES))) return undefined;
  return JSON.parse(line.toString()) as Entry;
}

export function triplesOf(ranges: readonly RecordRange[]): readonly Triple[] {
  return ranges.map(({ input, from, to }) => [input, from, to]);
}

export function rangesOf(triples: readonly Triple[]): readonly RecordRange[] {
  return triples.map(([input, from, to]) => ({ input, from, to }));
}

const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** A file's lines with where they start; the last one may lack its end. */
export function* readLines(
  file: string,
  start = 0,
): Generator<{ readonly line: Buffer; readonly offset: number }, void, undefined> {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    let rest: Buffer = Buffer.alloc(0);
    let offset = start;
    for (;;) {
      const read = readSync(descriptor, block, 0, BLOCK_BYTES, offset + rest.byteLength);
      const bytes = Buffer.concat([rest, block.subarray(0, read)]);
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        yield { line: bytes.subarray(from, end + 1), offset: offset + from };
        from = end + 1;
      }
      rest = bytes.subarray(from);
      offset += from;
      if (read > 0) continue;
      if (rest.byteLength > 0) yield { line: rest, offset };
      return;
    }
  } finally {
    closeSync(descriptor);
  }
}

const APPEND = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

interface Waiting {
  readonly line: Buffer;
  /** Who waits for it to be on the disk. */
  readonly durable?: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
}

/**
 * Appends lines to a journal. Those that come within one turn of the event loop, or while the disk
 * is busy, are written and synced together; the thread goes on meanwhile.
 */
export class JournalWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  #lines: number;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  #failure: Error | undefined;

  private constructor(file: string, handle: FileHandle, lines: number) {
    this.#file = file;
    this.#handle = handle;
    this.#lines = lines;
  }

  /**
   * Makes a journal with its first line, all at once: one without is damaged.
   * @throws JournalError
   */
  static async create(file: string, first: Fact): Promise<void> {
    try {
      const draft = `${file}.part`;
      const handle = await open(draft, APPEND | constants.O_CREAT | constants.O_EXCL, 0o600);
      await handle.appendFile(lineOf(1, first));
      await handle.datasync();
      await handle.close();
      await rename(draft, file);
      const folder = path.dirname(file);
      for (const changed of [folder, path.dirname(folder)]) await syncFolder(changed);
    } catch (error) {
      throw journalError(file, error);
    }
  }

  /**
   * Opens one to append behind its last whole line; what is behind that is cut.
   * @throws JournalError
   */
  static async open(
    file: string,
    { lines, bytes }: { readonly lines: number; readonly bytes: number },
  ): Promise<JournalWriter> {
    try {
      const handle = await open(file, APPEND);
      await handle.truncate(bytes);
      return new JournalWriter(file, handle, lines);
    } catch (error) {
      throw journalError(file, error);
    }
  }

  /**
   * Appends a line, and resolves with its number once the disk has it.
   * @param ids as in {@link lineOf}
   * @throws JournalError (rejects), also if something failed before
   */
  append(fact: Fact, ids?: readonly Uint8Array[]): Promise<number> {
    return new Promise((resolve, reject) => {
      const line = lineOf(this.#lines + 1, fact, ids);
      const number = this.#enqueue({ line, durable: { resolve: () => resolve(number), reject } });
    });
  }

  /** Appends a line that isn't synced by itself. Write errors surface on the next append or flush. */
  appendUnsynced(fact: Fact): void {
    this.#enqueue({ line: lineOf(this.#lines + 1, fact) });
  }

  /** Writes what waits. @throws JournalError (rejects), also if something failed before */
  async flush(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async close(): Promise<void> {
    await this.flush().catch(() => {});
    await this.#handle.close().catch(() => {});
  }

  #enqueue(waiting: Waiting): number {
    this.#lines += 1;
    this.#queue.push(waiting);
    this.#running ??= this.#writeQueue();
    return this.#lines;
  }

  async #writeQueue(): Promise<void> {
    await setImmediate();
    while (this.#queue.length > 0) await this.#write(this.#queue.splice(0));
    this.#running = undefined;
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    const durable = group.flatMap((one) => one.durable ?? []);
    try {
      // What the disk lost once, it may lose again without saying so.
      if (this.#failure !== undefined) throw this.#failure;
      await this.#handle.appendFile(Buffer.concat(group.map(({ line }) => line)));
      if (durable.length > 0) await this.#sync();
      for (const { resolve } of durable) resolve();
    } catch (error) {
      this.#failure ??= journalError(this.#file, error);
      for (const { reject } of durable) reject(this.#failure);
    }
  }

  /** @throws JournalError also if the file is no longer under its name */
  async #sync(): Promise<void> {
    await this.#handle.datasync();
    const [open, named] = await Promise.all([
      this.#handle.stat(),
      stat(this.#file).catch(() => undefined),
    ]);
    if (named?.ino === open.ino && named.dev === open.dev) return;
    throw new JournalError(
      `${this.#file} was removed or moved while the run was writing it. Nothing more is sent. Put the state folder back and resume the run; without it, nobody can tell later what was sent, and another import sends it again.`,
    );
  }
}

/** Windows can't sync folders, and needn't. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

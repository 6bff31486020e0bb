/**
 * A journal file: one line of JSON per fact, numbered from 1 and beginning with a CRC-32 of the
 * rest of the line. The first line holds the run's id and description.
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
import type { RunFacts, RunLock } from '../store.js';
import { journalError } from './run-files.js';

export const FORMAT = 1;

/** A range of records: input, first and last record. */
type Triple = readonly [number, number, number];

/** Content of a line, without its number. */
export type Fact =
  /** Intent to send a request; identified by the line's number. */
  | {
      /** Milliseconds since 1970. */
      readonly at: number;
      readonly intent: readonly Triple[];
      readonly published: PublishedWindow | null;
      /** Eight bytes per document, in base64. */
      readonly idHashes: string;
      readonly digests: string;
      /** The digests are of what an earlier run sent, with other content. */
      readonly other?: true;
      readonly ids?: readonly (string | null)[];
    }
  /** Outcome of some documents of a request. */
  | {
      readonly at: number;
      readonly settles: number;
      readonly records: readonly Triple[];
      readonly outcome: SentOutcome;
      readonly message: string;
    }
  | {
      readonly fact: keyof RunFacts;
      /** `null` withdraws the fact. */
      readonly value: unknown;
      /** Only in the first line. */
      readonly journal?: number;
      readonly run?: string;
    };

export type Entry = Fact & { readonly n: number };

const START_BYTES = 18;

/**
 * Encodes a line.
 * @param ids sourceIds of an intent as pieces of a JSON list, so that they aren't serialised again
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

/** Decodes a line; `undefined` if it is damaged or incomplete. */
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

/** Reads a file's lines with their byte offsets; the last one may be incomplete. */
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

/**
 * Appends lines to a journal. Lines that come within one turn of the event loop, or while the disk
 * is busy, are written and synced together, without blocking the thread.
 */
export class JournalWriter {
  readonly #file: string;
  readonly #lock: RunLock;
  readonly #handle: FileHandle;
  #lines: number;
  /** Lines of the next group, and whether it has to be synced. */
  #queue: Buffer[] = [];
  #syncs = false;
  /** Write of the last group; rejects if that or an earlier one failed. */
  #written: Promise<void> = Promise.resolve();

  private constructor(file: string, lock: RunLock, handle: FileHandle, lines: number) {
    this.#file = file;
    this.#lock = lock;
    this.#handle = handle;
    this.#lines = lines;
  }

  /**
   * Creates a journal with its first line atomically: a journal without one is damaged.
   * @throws JournalError
   */
  static async create(file: string, first: Fact): Promise<void> {
    try {
      const draft = `${file}.part`;
      const handle = await open(draft, APPEND | constants.O_CREAT | constants.O_EXCL, 0o600);
      try {
        await handle.appendFile(lineOf(1, first));
        await handle.datasync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
      const folder = path.dirname(file);
      for (const changed of [folder, path.dirname(folder)]) await syncFolder(changed);
    } catch (error) {
      throw journalError(file, error);
    }
  }

  /**
   * Opens a journal for appending after its last complete line; the rest is cut off.
   * @throws JournalError
   */
  static async open(
    file: string,
    lock: RunLock,
    { lines, bytes }: { readonly lines: number; readonly bytes: number },
  ): Promise<JournalWriter> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(file, APPEND);
      // An untouched file stays the one that the ledger knows.
      if ((await handle.stat()).size > bytes) await handle.truncate(bytes);
      return new JournalWriter(file, lock, handle, lines);
    } catch (error) {
      await handle?.close();
      throw journalError(file, error);
    }
  }

  /**
   * Appends a line, and resolves with its number once it is on disk.
   * @param ids as in {@link lineOf}
   * @throws JournalError (rejects), also if an earlier write failed
   */
  async append(fact: Fact, ids?: readonly Uint8Array[]): Promise<number> {
    const number = this.appendUnsynced(fact, ids);
    this.#syncs = true;
    await this.#written;
    return number;
  }

  /**
   * Appends a line without a sync of its own, and returns its number. Write errors surface on the
   * next append or flush.
   */
  appendUnsynced(fact: Fact, ids?: readonly Uint8Array[]): number {
    const line = lineOf(this.#lines + 1, fact, ids);
    this.#lines += 1;
    this.#queue.push(line);
    if (this.#queue.length === 1) {
      this.#written = this.#writeAfter(this.#written);
      this.#written.catch(() => {});
    }
    return this.#lines;
  }

  /**
   * Writes queued lines.
   * @throws JournalError (rejects), also if an earlier write failed
   */
  async flush(): Promise<void> {
    await this.#written;
  }

  async close(): Promise<void> {
    await this.#written.catch(() => {});
    await this.#handle.close().catch(() => {});
  }

  /**
   * Writes the lines that are queued once the group before is written. If that failed, this fails
   * as well: a later write that seems to succeed can't be trusted.
   */
  async #writeAfter(before: Promise<void>): Promise<void> {
    await before;
    await setImmediate();
    const [lines, syncs] = [this.#queue, this.#syncs];
    [this.#queue, this.#syncs] = [[], false];
    try {
      await this.#checkLock();
      await this.#handle.appendFile(Buffer.concat(lines));
      if (syncs) await this.#sync();
    } catch (error) {
      throw journalError(this.#file, error);
    }
  }

  /** Keeps lines apart from those of a process that took the run once the lock was removed. */
  async #checkLock(): Promise<void> {
    const loss = this.#lock.loss();
    if (loss === undefined) return;
    // The whole folder may be gone, and there is no run to be resumed then.
    await this.#checkPlace();
    throw loss;
  }

  /** @throws JournalError also if the file was removed or moved */
  async #sync(): Promise<void> {
    await this.#handle.datasync();
    await this.#checkPlace();
  }

  /** @throws JournalError if the file was removed or moved */
  async #checkPlace(): Promise<void> {
    const [open, named] = await Promise.all([
      this.#handle.stat(),
      stat(this.#file).catch(() => undefined),
    ]);
    if (named?.ino === open.ino && named.dev === open.dev) return;
    throw new JournalError(
      `${this.#file} was removed or moved while the run was writing it. Nothing more is sent. Put the state folder back and resume the run. Without it, docferry can't know what was sent, and another import sends it again.`,
    );
  }
}

/** Syncs a folder's entries; not possible on Windows, nor needed. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

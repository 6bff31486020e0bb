import { Buffer } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { JournalError } from '../../model/errors.js';
import { journalError } from './damage.js';
import { type Fields, lineOf } from './journal-lines.js';

const APPEND = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

/** How long a line that nobody waits for may wait for one to be written with, in milliseconds. */
const LATER_MS = 200;

/** Where a line was written. */
interface Written {
  readonly n: number;
  readonly offset: number;
}

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
  readonly #queue: Waiting[] = [];
  #lines: number;
  #bytes: number;
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #failure: Error | undefined;

  private constructor(file: string, handle: FileHandle, lines: number, bytes: number) {
    this.#file = file;
    this.#handle = handle;
    this.#lines = lines;
    this.#bytes = bytes;
  }

  /**
   * Makes a journal with its first line, all at once: one without is damaged.
   * @throws JournalError
   */
  static async create(file: string, first: Fields): Promise<JournalWriter> {
    try {
      const draft = `${file}.part`;
      const flags = APPEND | constants.O_CREAT | constants.O_EXCL;
      const handle = await open(draft, flags, 0o600);
      const line = lineOf(1, first);
      await handle.appendFile(line);
      await handle.datasync();
      await rename(draft, file);
      const folder = path.dirname(file);
      for (const changed of [folder, path.dirname(folder)]) await syncFolder(changed);
      return new JournalWriter(file, handle, 1, line.byteLength);
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
      return new JournalWriter(file, handle, lines, bytes);
    } catch (error) {
      throw journalError(file, error);
    }
  }

  /** Appends a line, and resolves once the disk has it. @throws JournalError (rejects), also if something failed before */
  append(fields: Fields): Promise<Written> {
    return new Promise((resolve, reject) => {
      const written = this.#add(fields, { resolve: () => resolve(written), reject });
      this.#soon ??= setImmediate(() => void this.#writeAll());
    });
  }

  /** Appends a line that may be lost with the process. Write errors surface on the next append or flush. */
  appendLater(fields: Fields): void {
    this.#add(fields);
    this.#later ??= setTimeout(() => void this.#writeAll(), LATER_MS);
  }

  /** Writes what waits. @throws JournalError (rejects), also if something failed before */
  async flush(): Promise<void> {
    while (this.#queue.length > 0 || this.#running !== undefined) await this.#writeAll();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async close(): Promise<void> {
    await this.flush().catch(() => {});
    await this.#handle.close().catch(() => {});
  }

  #add(fields: Fields, durable?: Waiting['durable']): Written {
    const line = lineOf(this.#lines + 1, fields);
    this.#lines += 1;
    this.#queue.push({ line, ...(durable === undefined ? {} : { durable }) });
    const offset = this.#bytes;
    this.#bytes += line.byteLength;
    return { n: this.#lines, offset };
  }

  async #writeAll(): Promise<void> {
    clearImmediate(this.#soon);
    clearTimeout(this.#later);
    this.#soon = undefined;
    this.#later = undefined;
    this.#running ??= this.#writeQueue().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #writeQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      const group = this.#queue.splice(0);
      try {
        // What the disk lost once, it may lose again without saying so.
        if (this.#failure !== undefined) throw this.#failure;
        await this.#handle.appendFile(Buffer.concat(group.map(({ line }) => line)));
        if (group.some(({ durable }) => durable !== undefined)) await this.#sync();
        for (const { durable } of group) durable?.resolve();
      } catch (error) {
        this.#failure ??= journalError(this.#file, error);
        for (const { durable } of group) durable?.reject(this.#failure);
      }
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

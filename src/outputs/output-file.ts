import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { DocferryError } from '../model/errors.js';

/** A file of results that can't be written: the disk is full, or the file is out of reach. */
export class OutputError extends DocferryError {
  override readonly name = 'OutputError';
  readonly exitCode = 4;

  /** @param draft file that holds what could be written, if that is another one */
  constructor(path: string, cause: unknown, draft?: string) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const rest =
      draft === undefined
        ? 'What is in it so far is incomplete.'
        : `What could be written is in ${draft}.`;
    super(`${path} can't be written: ${reason}. ${rest}`, { cause });
  }
}

/** A file as docferry left it: whoever changes it changes these. */
export interface OutputMark {
  /** Absolute; links are followed, but for the last name. */
  readonly path: string;
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** How a file is written. */
export interface OutputOptions {
  /** Tells its draft from those of others: a run's id. Default: the process's id. */
  readonly draft?: string;
  /** Whether a file that is there may be replaced; asked when the new one is whole. Default: no. */
  readonly mayReplace?: () => boolean;
  /** Who may read it, as for `chmod`. Default: its owner, as it may hold what people have written. */
  readonly mode?: number;
  /** Told what the file will be, before it is where it belongs. */
  readonly onWhole?: (mark: OutputMark) => void;
}

const BUFFER_BYTES = 256 * 1024;
const PRIVATE = 0o600;
/** Windows knows no such links, and no such flag. */
const NO_LINKS = constants.O_NOFOLLOW ?? 0;

/**
 * A file for the user, written from its beginning to its end: in a draft beside it, which gets its
 * name once it is whole. So a file that is there is lost neither to a run that is killed nor to one
 * that may not replace it. Devices and pipes are written to as they are. Small pieces are gathered
 * and written while the caller waits: memory is bounded, and there is nothing to await.
 */
export class OutputFile {
  readonly path: string;
  readonly #options: OutputOptions;
  /** `undefined` for what is no regular file. */
  readonly #draft: string | undefined;
  readonly #descriptor: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;
  #failure: OutputError | undefined;

  /**
   * Makes the draft.
   * @throws OutputError
   */
  constructor(path: string, options: OutputOptions = {}) {
    this.path = path;
    this.#options = options;
    this.#draft = isDevice(path) ? undefined : draftPath(path, options.draft ?? `${process.pid}`);
    this.#descriptor = this.#attempt(() => this.#open());
  }

  /** @throws OutputError; once it has failed, always: what follows a gap would mislead */
  write(bytes: Uint8Array): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#used + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) {
      this.#writeAll(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /**
   * Writes what is left, and puts the file where it belongs. A failure that was told before is not
   * told again.
   * @throws OutputError
   */
  close(): void {
    try {
      if (this.#failure === undefined) this.#finish();
    } finally {
      closeSync(this.#descriptor);
    }
    if (this.#failure === undefined) this.#attempt(() => this.#publish());
  }

  #open(): number {
    if (this.#draft === undefined) return openSync(this.path, constants.O_WRONLY);
    // One that is there was left by an earlier process of the same run.
    rmSync(this.#draft, { force: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINKS;
    const { mode } = this.#options;
    const descriptor = openSync(this.#draft, flags, mode ?? PRIVATE);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    return descriptor;
  }

  #finish(): void {
    this.#flush();
    // A name must not lead to a file that a loss of power leaves empty.
    if (this.#draft !== undefined) this.#attempt(() => fsyncSync(this.#descriptor));
  }

  #publish(): void {
    if (this.#draft === undefined) return;
    const { size, mtimeMs } = statSync(this.#draft);
    this.#options.onWhole?.({ path: placeOfName(this.path), size, modifiedMs: mtimeMs });
    if (this.#options.mayReplace?.()) renameSync(this.#draft, this.path);
    else takeName(this.#draft, this.path);
  }

  #flush(): void {
    const bytes = this.#buffer.subarray(0, this.#used);
    this.#used = 0;
    this.#writeAll(bytes);
  }

  #writeAll(bytes: Uint8Array): void {
    let written = 0;
    while (written < bytes.length) {
      written += this.#attempt(() => writeSync(this.#descriptor, bytes, written));
    }
  }

  #attempt<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      const draft = this.#draft;
      const kept = draft !== undefined && existsSync(draft) ? draft : undefined;
      this.#failure = new OutputError(this.path, error, kept);
      throw this.#failure;
    }
  }
}

/**
 * Writes a text whole or not at all.
 * @throws OutputError
 */
export function writeOutput(path: string, text: string, options?: OutputOptions): void {
  const file = new OutputFile(path, options);
  try {
    file.write(Buffer.from(text));
  } finally {
    file.close();
  }
}

/** Where a file is written before it is whole. */
export function draftPath(path: string, owner: string): string {
  return `${path}.${owner}.part`;
}

/** Whether a path leads to a terminal, a pipe or the like, which holds nothing that could be lost. */
export function isDevice(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isFile() && !found.isDirectory();
  } catch {
    // Out of reach: whoever writes it says so.
    return false;
  }
}

/** Gives a draft its name unless something has it; to ask first would leave a moment in between. */
function takeName(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
      throw new Error('a file of this name has been made meanwhile');
    }
    // Some file systems know no second names.
    renameSync(draft, path);
    return;
  }
  rmSync(draft);
}

/** The mode for a file that others may read, as a mapping: one that is there stays as open as it was. */
export function modeOf(file: string): number {
  const found = isDevice(file) ? undefined : statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 0o666 & ~process.umask() : found.mode & 0o777;
}

/** Where a path leads: absolute, links followed. What isn't there yet stays as it is written. */
export function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const whole = path.resolve(file);
    const folder = path.dirname(whole);
    return folder === whole ? whole : path.join(placeOf(folder), path.basename(whole));
  }
}

/** The place of a name: what stands there may be a link, which isn't followed. */
export function placeOfName(file: string): string {
  const whole = path.resolve(file);
  return path.join(placeOf(path.dirname(whole)), path.basename(whole));
}

/** Whether two paths are the same file, by whatever link, spelling or second name. */
export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [identityOf(a), identityOf(b)];
  if (one !== undefined || other !== undefined) return one === other;
  return placeOf(a) === placeOf(b);
}

/** The folders in which a file lies, the innermost first. */
export function foldersAround(file: string): readonly string[] {
  const folder = path.dirname(placeOf(file));
  const outer = path.dirname(folder);
  return outer === folder ? [folder] : [folder, ...foldersAround(folder)];
}

/** `undefined` for what isn't there, or can't be reached. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

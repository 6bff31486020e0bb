import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
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
import { DocferryError, messageOf } from '../model/errors.js';
import { makeFolder } from '../model/small-file.js';
import type { WrittenFile } from '../model/source.js';

/** An output file can't be written: the disk is full, or the file is out of reach. */
export class OutputError extends DocferryError {
  override readonly name = 'OutputError';
  readonly exitCode = 4;

  /** @param draft file with the incomplete output, if that is a different file */
  constructor(path: string, cause: unknown, draft?: string) {
    const rest =
      draft === undefined
        ? 'Its content is incomplete.'
        : `The part that was written is in ${draft}.`;
    super(`${path} can't be written: ${messageOf(cause)}. ${rest}`, { cause });
  }
}

export interface OutputOptions {
  /** Name of its draft, for example a run's id: one that a killed process left is replaced. Default: random. */
  readonly draft?: string;
  /** Whether writing fails if the file exists. Default: it is replaced. */
  readonly keepsExisting?: boolean;
  /**
   * Permissions, as for `chmod`. Default: only the owner may read it, as it may hold people's
   * texts.
   */
  readonly mode?: number;
}

/** Returns whether a file is as it was written; one that is gone can be written again. */
export function isAsWritten({ path: file, size, modifiedMs }: WrittenFile): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found === undefined || (found.size === size && found.mtimeMs === modifiedMs);
}

const BUFFER_BYTES = 256 * 1024;
const PRIVATE = 0o600;
/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * Opens a file that docferry writes, never through a link. Only its owner may read it, unless `mode`
 * allows others to, or the file is another user's, who decides that.
 * @throws the system's error
 */
export function openPrivately(file: string, flags: number, mode?: number): number {
  const descriptor = openUnlinked(file, flags, mode ?? PRIVATE);
  try {
    const found = fstatSync(descriptor);
    // Creating it has applied the process's mask; an existing file has the mode that it was given.
    const wanted = mode ?? found.mode & PRIVATE;
    const isOwn = found.isFile() && found.uid === (process.geteuid?.() ?? found.uid);
    if (isOwn && (found.mode & 0o777) !== wanted) fchmodSync(descriptor, wanted);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function openUnlinked(file: string, flags: number, mode: number): number {
  try {
    return openSync(file, flags | NO_FOLLOW, mode);
  } catch (error) {
    const isLink = (error as NodeJS.ErrnoException).code === 'ELOOP';
    throw isLink ? new Error("it is a link, which isn't followed") : error;
  }
}

/**
 * Writes a file for the user, from beginning to end. It is written to a draft in the same folder,
 * which is renamed when it is complete: so a run that is killed, or that may not replace an
 * existing file, doesn't destroy it. Devices and pipes are written directly. Small pieces are
 * buffered and written synchronously, so memory is bounded.
 */
export class OutputFile {
  readonly path: string;
  readonly #options: OutputOptions;
  /** `undefined` if it isn't a regular file. */
  readonly #draft: string | undefined;
  readonly #descriptor: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;
  #failure: OutputError | undefined;
  #isFinished = false;

  /**
   * Creates the draft.
   * @throws OutputError
   */
  constructor(path: string, options: OutputOptions = {}) {
    this.path = path;
    this.#options = options;
    this.#draft = isDevice(path) ? undefined : `${path}.${options.draft ?? randomName()}.part`;
    this.#descriptor = this.#attempt(() => this.#open());
  }

  /**
   * @throws OutputError, and again on every call after a failure, since a file with a gap would
   *   mislead
   */
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
   * Writes the rest durably, before the file gets its name.
   * @returns what it will be once it has that
   * @throws OutputError
   */
  finish(): WrittenFile {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#isFinished) this.#finish();
    const { size, mtimeMs } = fstatSync(this.#descriptor);
    return { path: inRealFolder(this.path), size, modifiedMs: mtimeMs };
  }

  /**
   * Writes the rest, and gives the file its name. Doesn't repeat an earlier failure.
   * @throws OutputError
   */
  close(): void {
    try {
      if (this.#failure === undefined && !this.#isFinished) this.#finish();
    } finally {
      closeSync(this.#descriptor);
    }
    if (this.#failure === undefined) this.#attempt(() => this.#publish());
  }

  /** Writes the rest to the draft if that is possible, and closes it. The draft keeps its own name. */
  abandon(): void {
    try {
      if (this.#failure === undefined) this.#flush();
    } catch {
      // The first failure is reported.
    } finally {
      closeSync(this.#descriptor);
    }
  }

  #open(): number {
    if (this.#draft === undefined) return openSync(this.path, constants.O_WRONLY);
    makeFolderOf(this.#draft);
    rmSync(this.#draft, { force: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    return openPrivately(this.#draft, flags, this.#options.mode);
  }

  #finish(): void {
    this.#flush();
    // Or a power loss could leave an empty file under the final name.
    if (this.#draft !== undefined) this.#attempt(() => fsyncSync(this.#descriptor));
    this.#isFinished = true;
  }

  #publish(): void {
    if (this.#draft === undefined) return;
    if (this.#options.keepsExisting) takeName(this.#draft, this.path);
    else renameSync(this.#draft, this.path);
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
      const left = draft !== undefined && existsSync(draft) ? draft : undefined;
      this.#failure = new OutputError(this.path, error, left);
      throw this.#failure;
    }
  }
}

/**
 * Writes a text atomically.
 * @throws OutputError
 */
export function writeOutput(path: string, text: string, options?: OutputOptions): void {
  // Converted first, since closing a file that has been begun publishes it.
  const bytes = Buffer.from(text);
  const file = new OutputFile(path, options);
  try {
    file.write(bytes);
  } finally {
    file.close();
  }
}

function randomName(): string {
  return randomBytes(4).toString('hex');
}

/** Returns whether a path is a terminal, a pipe or the like, which holds no data. */
export function isDevice(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isFile() && !found.isDirectory();
  } catch {
    // Out of reach; writing to it will fail with the reason.
    return false;
  }
}

/** Gives a draft its name atomically unless that is taken. */
function takeName(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
      throw new Error('another file of this name was created meanwhile');
    }
    // Some file systems have no hard links.
    renameSync(draft, path);
    return;
  }
  rmSync(draft);
}

/**
 * Mode of a file that others may read, for example a mapping; an existing file keeps its
 * permissions.
 */
export function modeOf(file: string): number {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() !== true ? 0o666 & ~process.umask() : found.mode & 0o777;
}

/**
 * Puts a run's id in the place of `{run}`. A shard's id has a slash, which would make a folder, and
 * may have a colon, which on Windows would make a hidden stream of a file.
 */
export function nameWithRun(
  file: string,
  id: string,
  { sep }: Pick<typeof path, 'sep'> = path,
): string {
  return file.replaceAll('{run}', id.replaceAll(sep === '\\' ? /[/:]/g : '/', '-'));
}

/** Resolves a path: absolute, without links. A part that doesn't exist stays as it is. */
export function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const whole = path.resolve(file);
    const folder = path.dirname(whole);
    return folder === whole ? whole : path.join(realPathOf(folder), path.basename(whole));
  }
}

/** Resolves a path except its last name, which may be a link. */
export function inRealFolder(file: string): string {
  const whole = path.resolve(file);
  return path.join(realPathOf(path.dirname(whole)), path.basename(whole));
}

/** Returns whether two paths are the same file, through links or other spellings. */
export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [identityOf(a), identityOf(b)];
  if (one !== undefined || other !== undefined) return one === other;
  return realPathOf(a) === realPathOf(b);
}

/** Lists the folders around a file, the innermost first. */
export function foldersAround(file: string): readonly string[] {
  const folder = path.dirname(realPathOf(file));
  const outer = path.dirname(folder);
  return outer === folder ? [folder] : [folder, ...foldersAround(folder)];
}

/** Device and inode; `undefined` if the file doesn't exist or can't be reached. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Makes the folder of a file, for its owner only, since the files in it may hold people's texts. */
export function makeFolderOf(file: string): void {
  makeFolder(path.dirname(file));
}

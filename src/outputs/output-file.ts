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
import { DocferryError, messageOf } from '../model/errors.js';

/** An output file can't be written: the disk is full, or the file is out of reach. */
export class OutputError extends DocferryError {
  override readonly name = 'OutputError';
  readonly exitCode = 4;

  /** @param draft file with the incomplete output, if that is another one */
  constructor(path: string, cause: unknown, draft?: string) {
    const rest =
      draft === undefined
        ? 'Its content is incomplete.'
        : `The part that was written is in ${draft}.`;
    super(`${path} can't be written: ${messageOf(cause)}. ${rest}`, { cause });
  }
}

/** Size and time of a file as docferry left it, to notice changes by others. */
export interface OutputMark {
  /** Absolute; links are resolved except in the last name. */
  readonly path: string;
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly modifiedMs: number;
}

export interface OutputOptions {
  /** Distinguishes its draft from others: a run's id. Default: the process's id. */
  readonly draft?: string;
  /** Whether an existing file may be replaced; called when the new one is complete. Default: no. */
  readonly mayReplace?: () => boolean;
  /**
   * Permissions, as for `chmod`. Default: only the owner may read it, as it may hold people's
   * texts.
   */
  readonly mode?: number;
  /** Called with the finished file's mark before it gets its name. */
  readonly onWhole?: (mark: OutputMark) => void;
}

const BUFFER_BYTES = 256 * 1024;
const PRIVATE = 0o600;
/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

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

  /**
   * Creates the draft.
   * @throws OutputError
   */
  constructor(path: string, options: OutputOptions = {}) {
    this.path = path;
    this.#options = options;
    this.#draft = isDevice(path) ? undefined : draftPath(path, options.draft ?? `${process.pid}`);
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
   * Writes the rest, and gives the file its name. Doesn't repeat an earlier failure.
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
    // An existing draft is from an earlier process of the same run.
    rmSync(this.#draft, { force: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
    const { mode } = this.#options;
    const descriptor = openSync(this.#draft, flags, mode ?? PRIVATE);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    return descriptor;
  }

  #finish(): void {
    this.#flush();
    // Or a power loss could leave an empty file under the final name.
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
  writeText(new OutputFile(path, options), text);
}

/** Writes the only text of a file. @throws OutputError */
export function writeText(file: OutputFile, text: string): void {
  try {
    file.write(Buffer.from(text));
  } finally {
    file.close();
  }
}

export function draftPath(path: string, owner: string): string {
  return `${path}.${owner}.part`;
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
  const found = isDevice(file) ? undefined : statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 0o666 & ~process.umask() : found.mode & 0o777;
}

/** Resolves a path: absolute, without links. A part that doesn't exist stays as it is. */
export function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const whole = path.resolve(file);
    const folder = path.dirname(whole);
    return folder === whole ? whole : path.join(placeOf(folder), path.basename(whole));
  }
}

/** Resolves a path except its last name, which may be a link. */
export function placeOfName(file: string): string {
  const whole = path.resolve(file);
  return path.join(placeOf(path.dirname(whole)), path.basename(whole));
}

/** Returns whether two paths are the same file, through links or other spellings. */
export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [identityOf(a), identityOf(b)];
  if (one !== undefined || other !== undefined) return one === other;
  return placeOf(a) === placeOf(b);
}

/** Lists the folders around a file, the innermost first. */
export function foldersAround(file: string): readonly string[] {
  const folder = path.dirname(placeOf(file));
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

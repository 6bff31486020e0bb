/** The source file: its samples and what a guess knows about it, read again once the file has changed. */
import { stat } from 'node:fs/promises';
import type { InputOptions } from '../operations/options.js';
import {
  draftColumns,
  type GuessDraft,
  guessForStudio,
  type StudioGuess,
} from '../operations/studio/propose-rule.js';
import { openSample, type ParsedSample } from '../operations/studio/sample-source.js';
import { StudioError } from './requests.js';

/** Size of a sample. */
const LIMITS = { records: 2_000, bytes: 16 * 1024 * 1024 };
/** Number of samples, drafts and guesses in memory. */
const MAX_KNOWN = 8;

export class SourceFile {
  readonly path: string;
  readonly #ready: boolean;
  readonly #known = new Map<string, Promise<unknown>>();
  #stamp = '';

  /** @param ready whether a mapping shipped with docferry may be proposed */
  constructor(path: string, ready: boolean) {
    this.path = path;
    this.#ready = ready;
  }

  /**
   * Identifies the file's version by its inode, size and modification time.
   * @throws StudioError if the file is gone
   */
  async stamp(): Promise<string> {
    const found = await stat(this.path, { bigint: true }).catch(() => undefined);
    if (found !== undefined) return `${found.dev}-${found.ino}-${found.size}-${found.mtimeNs}`;
    throw new StudioError(
      410,
      `${this.path} is no longer there. Put it back, or stop the studio and start it with another file.`,
    );
  }

  /** @throws StudioError if the file is gone; SourceError if it can't be read with these options */
  sample(input: InputOptions): Promise<ParsedSample> {
    return this.#once('sample', input, () => openSample(this.path, input, LIMITS));
  }

  /** @throws as `sample` */
  guess(): Promise<StudioGuess> {
    return this.#once('guess', {}, () => guessForStudio(this.path, this.#ready));
  }

  /**
   * Profiles the columns, unless a guess does or has done that.
   * @throws as `sample`
   */
  async draft(input: InputOptions): Promise<GuessDraft> {
    const isGuessed = this.#known.has(inputKey('guess', {}));
    const guessed = isGuessed ? await this.guess().catch(() => undefined) : undefined;
    const key = inputKey('draft', input);
    if (guessed !== undefined && inputKey('draft', guessed.input) === key) return guessed.draft;
    return await this.#once('draft', input, () => draftColumns(this.path, input));
  }

  /** Concurrent calls share one read. A read that fails is repeated by the next call. */
  async #once<T>(what: string, input: InputOptions, read: () => Promise<T>): Promise<T> {
    const stamp = await this.stamp();
    if (stamp !== this.#stamp) this.#known.clear();
    this.#stamp = stamp;
    const key = inputKey(what, input);
    const known = (this.#known.get(key) as Promise<T> | undefined) ?? read();
    // The latest last; the one that was not asked for the longest is dropped.
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    known.catch(() => this.#known.delete(key));
    return await known;
  }
}

function inputKey(what: string, input: InputOptions): string {
  return `${what} ${JSON.stringify(Object.entries(input).toSorted())}`;
}

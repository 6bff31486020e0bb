/** Caches samples of the file by the input options they were read with. */
import { stat } from 'node:fs/promises';
import type { InputOptions } from '../operations/options.js';
import { openSample, type ParsedSample, parseSample } from '../operations/studio/sample-source.js';
import { StudioError } from './requests.js';

/** Size of a sample. */
const LIMITS = { records: 2_000, bytes: 16 * 1024 * 1024 };
/** Number of samples in the cache. */
const MAX_CACHED = 4;

/** Identifies a version of the file: inode, size and modification time. */
export type Stamp = string;

/** A sample, and the version of the file that it was read from. */
export interface StampedSample extends ParsedSample {
  readonly stamp: Stamp;
}

/** Reads the start of a file on demand, and again once the file has changed. */
export class SampleCache {
  readonly #file: string;
  readonly #cache = new Map<string, Promise<ParsedSample>>();
  #stamp: Stamp = '';

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws StudioError if the file is gone; SourceError if it can't be read with these options */
  async take(input: InputOptions): Promise<StampedSample> {
    const stamp = await this.stamp();
    if (stamp !== this.#stamp) this.#cache.clear();
    this.#stamp = stamp;
    return { ...(await this.#sample(input)), stamp };
  }

  /** @throws StudioError if the file is gone */
  async stamp(): Promise<Stamp> {
    const found = await stat(this.#file, { bigint: true }).catch(() => undefined);
    if (found === undefined) {
      throw new StudioError(
        410,
        `${this.#file} is no longer there. Put it back, or stop the studio and start it with another file.`,
      );
    }
    return `${found.dev}-${found.ino}-${found.size}-${found.mtimeNs}`;
  }

  /** Concurrent calls with the same options share one read. */
  #sample(input: InputOptions): Promise<ParsedSample> {
    const key = JSON.stringify(Object.entries(input).toSorted());
    const known = this.#cache.get(key);
    this.#cache.delete(key);
    const sample = known ?? openSample(this.#file, input, LIMITS).then(parseSample);
    this.#cache.set(key, sample);
    // Retry on the next call if reading fails.
    sample.catch(() => this.#cache.delete(key));
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
    return sample;
  }
}

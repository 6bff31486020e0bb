/** What was read of the file, kept by the way in which it was read. */
import { stat } from 'node:fs/promises';
import type { InputOptions } from '../operations/options.js';
import { type SourceSample, sampleSource } from '../operations/studio/sample-source.js';
import { StudioRefusal } from './requests.js';

const LIMITS = { records: 2_000, bytes: 16 * 1024 * 1024 };
/** Ways to read the file that are kept at a time. */
const MAX_KEPT = 4;

/** A file as it was at a moment: whoever changes it changes this. */
export type Stamp = string;

/** A sample of the file as it is now. */
export interface StampedSample extends SourceSample {
  readonly stamp: Stamp;
}

/** Reads the start of one file when it is asked for, and again when the file has changed. */
export class Samples {
  readonly #file: string;
  readonly #kept = new Map<string, Promise<SourceSample>>();
  #stamp: Stamp = '';

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws StudioRefusal if the file is gone; SourceError if it can't be read this way */
  async take(input: InputOptions): Promise<StampedSample> {
    const stamp = await this.stamp();
    if (stamp !== this.#stamp) this.#kept.clear();
    this.#stamp = stamp;
    return { ...(await this.#sample(input)), stamp };
  }

  /** @throws StudioRefusal if the file is gone */
  async stamp(): Promise<Stamp> {
    const found = await stat(this.#file, { bigint: true }).catch(() => undefined);
    if (found === undefined) {
      throw new StudioRefusal(
        410,
        `${this.#file} is no longer there. Put it back, or stop the studio and start it with another file.`,
      );
    }
    return `${found.dev}-${found.ino}-${found.size}-${found.mtimeNs}`;
  }

  /** Two who ask at a time share what is read. */
  #sample(input: InputOptions): Promise<SourceSample> {
    const key = JSON.stringify(Object.entries(input).toSorted());
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const sample = known ?? sampleSource(this.#file, input, LIMITS);
    this.#kept.set(key, sample);
    // What can't be read is tried again when it is asked for again.
    sample.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return sample;
  }
}

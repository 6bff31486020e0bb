/** Caches what is known about the file's columns, by the input options it was read with. */
import type { Guess } from '../index.js';
import type { InputOptions } from '../operations/options.js';
import {
  draftColumns,
  type GuessDraft,
  guessForStudio,
} from '../operations/studio/propose-rule.js';
import type { Stamp } from './samples.js';

/** Samples the file as a guess does, once for each version of the file. */
export class DraftCache {
  readonly #file: string;
  readonly #ready: boolean;
  readonly #drafts = new Map<string, Promise<GuessDraft>>();
  #guess: Promise<Guess> | undefined;
  #stamp: Stamp = '';

  /** @param ready whether a mapping shipped with docferry may be proposed */
  constructor(file: string, ready: boolean) {
    this.#file = file;
    this.#ready = ready;
  }

  /** @throws SourceError if the file can't be read */
  guess(stamp: Stamp): Promise<Guess> {
    this.#forget(stamp);
    this.#guess ??= this.#guessOnce();
    return this.#guess;
  }

  /** Lists the guess's questions, if a text may ask them. */
  async questionsOf(text: string, stamp: Stamp): Promise<Guess['questions']> {
    if (!text.includes('TODO')) return [];
    return await this.guess(stamp).then(
      ({ questions }) => questions,
      () => [],
    );
  }

  async #guessOnce(): Promise<Guess> {
    const found = guessForStudio(this.#file, this.#ready);
    found.catch(() => {
      this.#guess = undefined;
    });
    const { guess, draft, input } = await found;
    this.#drafts.set(keyOf(input), Promise.resolve(draft));
    return guess;
  }

  /** @throws SourceError if the file can't be read with these options */
  async take(input: InputOptions, stamp: Stamp): Promise<GuessDraft> {
    this.#forget(stamp);
    await this.#guess?.catch(() => undefined);
    const key = keyOf(input);
    const draft = this.#drafts.get(key) ?? draftColumns(this.#file, input);
    this.#drafts.set(key, draft);
    draft.catch(() => this.#drafts.delete(key));
    return await draft;
  }

  #forget(stamp: Stamp): void {
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#drafts.clear();
    this.#guess = undefined;
  }
}

function keyOf(input: InputOptions): string {
  return JSON.stringify(Object.entries(input).toSorted());
}

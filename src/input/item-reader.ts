import type { Readable } from 'node:stream';
import { OptionError } from '../model/errors.js';
import { BrokenInput } from './broken-input.js';

type Step = IteratorResult<unknown, unknown>;

/** Reads the items of any iterable, one after another, and closes it for good. */
export class ItemReader {
  readonly #input: object;
  readonly #iterator: AsyncIterator<unknown> | Iterator<unknown>;
  #peeked: Step | undefined;
  #closed = false;

  /** @throws OptionError if it is nothing that can be iterated */
  constructor(input: unknown) {
    this.#input = input as object;
    this.#iterator = iteratorOf(input);
  }

  /** The first item, which will be read again. */
  async peek(): Promise<Step> {
    this.#peeked ??= await this.#next();
    return this.#peeked;
  }

  async next(): Promise<Step> {
    const peeked = this.#peeked;
    if (peeked === undefined) return await this.#next();
    this.#peeked = undefined;
    return peeked;
  }

  /** Tells the iterable that no more is wanted; one that is busy is not waited for. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (isDestroyable(this.#input)) this.#input.destroy();
    try {
      Promise.resolve(this.#iterator.return?.()).catch(() => {});
    } catch {
      // Nobody waits for what a generator throws while it is being closed.
    }
  }

  async #next(): Promise<Step> {
    try {
      const step = await this.#iterator.next();
      if (step.done) this.#closed = true;
      return step;
    } catch (error) {
      this.#closed = true;
      const reason = error instanceof Error ? error.message : String(error);
      throw new BrokenInput(`what provides it failed (${reason})`, 'Then run the import again.', {
        cause: error,
      });
    }
  }
}

function iteratorOf(input: unknown): AsyncIterator<unknown> | Iterator<unknown> {
  if (typeof input === 'object' && input !== null) {
    if (Symbol.asyncIterator in input) {
      return (input as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    }
    if (Symbol.iterator in input) return (input as Iterable<unknown>)[Symbol.iterator]();
  }
  const what = input === null ? 'null' : typeof input;
  throw new OptionError(
    `The input is of type ${what}; expected a path, a list of paths, a stream, or an iterable of objects.`,
  );
}

function isDestroyable(input: object): input is Readable {
  return 'destroy' in input && typeof input.destroy === 'function';
}

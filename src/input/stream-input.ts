import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { isAnyArrayBuffer } from 'node:util/types';
import { OptionError } from '../model/errors.js';
import { BrokenInput, unreadable } from './broken-input.js';
import { abortable, countingBytes, PeekableStream, untilAborted } from './pieces.js';
import type { ObjectsInput, RawInput } from './raw-input.js';

interface StreamSettings {
  /** Name if it is a file. */
  readonly file?: string;
  /** Name if it is a list of records. */
  readonly records?: string;
  /** Ends the wait for items. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens an iterable or stream from a program. The first item decides: bytes or text are pieces of a
 * file, anything else is a record.
 * @throws OptionError if it isn't iterable; the signal's reason when it is aborted
 */
export async function streamInput(
  input: unknown,
  { file = 'stream', records = 'records', signal }: StreamSettings = {},
): Promise<RawInput | ObjectsInput> {
  const items = new ItemReader(asBytes(input) === undefined ? input : [input]);
  const close = (): void => items.close();
  const first = await peekFirst(items, input, file, signal);
  const isFile = first?.done ? isByteStream(input) : isPiece(first?.value);
  if (!isFile) {
    const empty = first?.done === true;
    return { kind: 'objects', name: records, empty, items: () => itemsOf(items), close };
  }
  const stream = new PeekableStream(abortable(piecesOf(items), close, signal));
  return {
    kind: 'bytes',
    name: file,
    size: null,
    file: null,
    isLive: true,
    isMember: false,
    decoded: typeof first?.value === 'string',
    peek: () => stream.peek(),
    read: (onBytes) => countingBytes(stream.read(), onBytes),
    close,
  };
}

/**
 * Peeks at the first item; `undefined` if an iterable throws instead: like later errors, that ends
 * the run once it has started.
 * @throws SourceError if a byte stream fails to open; the signal's reason when it is aborted
 */
async function peekFirst(
  items: ItemReader,
  input: unknown,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Step | undefined> {
  try {
    return await untilAborted(items.peek(), signal);
  } catch (failure) {
    const isBroken = failure instanceof BrokenInput;
    if (isBroken && !isByteStream(input)) return undefined;
    items.close();
    throw isBroken ? unreadable(name, failure) : failure;
  }
}

function isPiece(item: unknown): boolean {
  return typeof item === 'string' || asBytes(item) !== undefined;
}

/** Returns the bytes of a `Buffer`, an `ArrayBuffer` or a view. */
function asBytes(item: unknown): Uint8Array | undefined {
  if (item instanceof Uint8Array) return item;
  if (ArrayBuffer.isView(item)) {
    return new Uint8Array(item.buffer, item.byteOffset, item.byteLength);
  }
  return isAnyArrayBuffer(item) ? new Uint8Array(item) : undefined;
}

/**
 * Returns whether an empty stream is an empty file rather than an empty list of objects: Node streams
 * declare it, web streams are response bodies.
 */
function isByteStream(input: unknown): boolean {
  const { readableObjectMode } = input as { readonly readableObjectMode?: unknown };
  return readableObjectMode === false || input instanceof ReadableStream;
}

async function* itemsOf(items: ItemReader): AsyncGenerator<unknown, void, undefined> {
  try {
    for (;;) {
      const { value, done } = await items.next();
      if (done) return;
      yield value;
    }
  } finally {
    items.close();
  }
}

/** Converts items to bytes; text may be cut inside a surrogate pair. */
async function* piecesOf(items: ItemReader): AsyncGenerator<Uint8Array, void, undefined> {
  const joiner = new StringDecoder('utf16le');
  for await (const item of itemsOf(items)) {
    const bytes =
      typeof item === 'string'
        ? Buffer.from(joiner.write(Buffer.from(item, 'utf16le')))
        : asBytes(item);
    if (bytes !== undefined) yield bytes;
    else {
      const what = item === null ? 'null' : typeof item;
      throw new BrokenInput(
        `it yields an item of type ${what} after pieces of a file`,
        'Give either bytes, or text, or objects.',
      );
    }
  }
  yield Buffer.from(joiner.end());
}

type Step = IteratorResult<unknown, unknown>;

/** Reads any iterable, with one item of lookahead, and closes it once. */
class ItemReader {
  readonly #input: object;
  readonly #iterator: AsyncIterator<unknown> | Iterator<unknown>;
  #peeked: Promise<Step> | undefined;
  #closed = false;

  /** @throws OptionError if it isn't iterable */
  constructor(input: unknown) {
    this.#input = input as object;
    this.#iterator = iteratorOf(input);
  }

  /** Returns the first item (or rejects) without consuming it. */
  async peek(): Promise<Step> {
    this.#peeked ??= this.#next();
    return await this.#peeked;
  }

  async next(): Promise<Step> {
    const peeked = this.#peeked;
    this.#peeked = undefined;
    return await (peeked ?? this.#next());
  }

  /** Closes the iterable, without waiting for one that is busy. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (isDestroyable(this.#input)) this.#input.destroy();
    try {
      Promise.resolve(this.#iterator.return?.()).catch(() => {});
    } catch {
      // Ignore what a generator throws while it is being closed.
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
      throw new BrokenInput(
        `its producer failed (${reason})`,
        'Fix the cause, then give the whole input again.',
        {
          cause: error,
        },
      );
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

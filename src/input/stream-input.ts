import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { isAnyArrayBuffer } from 'node:util/types';
import { OptionError } from '../model/errors.js';
import { abortable, passing, Replay, untilAborted } from './pieces.js';
import { BrokenInput, type ObjectsInput, type RawInput, unreadable } from './raw-input.js';

/** How a stream is opened. */
interface StreamSettings {
  /** What to call it if it gives a file. */
  readonly file?: string;
  /** What to call it if it gives records. */
  readonly records?: string;
  /** Ends the wait for what the stream gives. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * An iterable or stream that a program hands over. Its first item decides: bytes or text are pieces
 * of a file, anything else is a record.
 * @throws OptionError if it can't be iterated; the signal's reason when it is aborted
 */
export async function streamInput(
  input: unknown,
  { file = 'stream', records = 'records', signal }: StreamSettings = {},
): Promise<RawInput | ObjectsInput> {
  const items = new ItemReader(bytesIn(input) === undefined ? input : [input]);
  const close = (): void => items.close();
  const first = await firstOf(items, input, file, signal);
  const isFile = first?.done ? isByteStream(input) : isPiece(first?.value);
  if (!isFile) {
    const empty = first?.done === true;
    return { kind: 'objects', name: records, empty, items: () => itemsOf(items), close };
  }
  const replay = new Replay(abortable(piecesOf(items), close, signal));
  return {
    kind: 'bytes',
    name: file,
    size: null,
    file: null,
    isLive: true,
    isMember: false,
    decoded: typeof first?.value === 'string',
    peek: () => replay.peek(),
    read: (counted) => passing(replay.read(), counted),
    close,
  };
}

/**
 * The first item; nothing if an iterable throws instead of giving it: like what it throws later, that
 * ends a run that has started.
 * @throws SourceError if the input is a stream of bytes, which can't even be opened then; the
 *   signal's reason when it is aborted
 */
async function firstOf(
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
  return typeof item === 'string' || bytesIn(item) !== undefined;
}

/** The bytes of a `Buffer`, an `ArrayBuffer` or any view of one. */
function bytesIn(item: unknown): Uint8Array | undefined {
  if (item instanceof Uint8Array) return item;
  if (ArrayBuffer.isView(item)) {
    return new Uint8Array(item.buffer, item.byteOffset, item.byteLength);
  }
  return isAnyArrayBuffer(item) ? new Uint8Array(item) : undefined;
}

/**
 * Whether an empty stream is an empty file, and no list of objects without any: a Node stream says
 * so itself, and a web stream is the body of a response.
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

/** The items as bytes; text may be cut between the two surrogates of a pair. */
async function* piecesOf(items: ItemReader): AsyncGenerator<Uint8Array, void, undefined> {
  const joiner = new StringDecoder('utf16le');
  for await (const item of itemsOf(items)) {
    const bytes =
      typeof item === 'string'
        ? Buffer.from(joiner.write(Buffer.from(item, 'utf16le')))
        : bytesIn(item);
    if (bytes !== undefined) yield bytes;
    else {
      const what = item === null ? 'null' : typeof item;
      throw new BrokenInput(
        `it gives an item of type ${what} after pieces of a file`,
        'Give either bytes, or text, or objects.',
      );
    }
  }
  yield Buffer.from(joiner.end());
}

type Step = IteratorResult<unknown, unknown>;

/** Reads the items of any iterable, one after another, and closes it for good. */
class ItemReader {
  readonly #input: object;
  readonly #iterator: AsyncIterator<unknown> | Iterator<unknown>;
  #peeked: Promise<Step> | undefined;
  #closed = false;

  /** @throws OptionError if it is nothing that can be iterated */
  constructor(input: unknown) {
    this.#input = input as object;
    this.#iterator = iteratorOf(input);
  }

  /** The first item, which will be read again, as will be what is thrown instead of it. */
  async peek(): Promise<Step> {
    this.#peeked ??= this.#next();
    return await this.#peeked;
  }

  async next(): Promise<Step> {
    const peeked = this.#peeked;
    this.#peeked = undefined;
    return await (peeked ?? this.#next());
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

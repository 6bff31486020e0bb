import { BrokenInput, unreadable } from './broken-input.js';
import { passing } from './decompress/expansion.js';
import { encodeText, SurrogateJoiner, surrogateMark } from './encoding/encode-text.js';
import { ItemReader } from './item-reader.js';
import type { ObjectsInput, RawInput } from './raw-input.js';
import { Replay } from './replay.js';

/**
 * An iterable or stream that a program hands over. Its first item decides: bytes or text are pieces
 * of a file, anything else is a record.
 * @param fileName what to call it if it gives a file
 * @throws OptionError if it can't be iterated
 */
export async function streamInput(
  input: unknown,
  fileName = 'stream',
): Promise<RawInput | ObjectsInput> {
  const items = new ItemReader(input instanceof Uint8Array ? [input] : input);
  const close = (): void => items.close();
  const first = await firstOf(items, input, fileName);
  if ('failure' in first) return brokenObjects(first.failure);
  const isFile = first.done ? isByteStream(input) : isPiece(first.value);
  if (!isFile) {
    const empty = first.done === true;
    return { kind: 'objects', name: 'records', empty, items: () => itemsOf(items), close };
  }
  const replay = new Replay(piecesOf(items));
  return {
    kind: 'bytes',
    name: fileName,
    size: null,
    file: null,
    isMember: false,
    decoded: typeof first.value === 'string',
    look: () => replay.look(),
    read: (counted) => passing(replay.read(), counted),
    close,
  };
}

/**
 * The first item, or what an iterable throws instead of it: like what it throws later, that ends a
 * run that has started.
 * @throws SourceError if the input is a stream of bytes, which can't even be opened then
 */
async function firstOf(
  items: ItemReader,
  input: unknown,
  name: string,
): Promise<IteratorResult<unknown, unknown> | { readonly failure: unknown }> {
  try {
    return await items.peek();
  } catch (failure) {
    if (failure instanceof BrokenInput && isByteStream(input)) throw unreadable(name, failure);
    return { failure };
  }
}

function brokenObjects(failure: unknown): ObjectsInput {
  const next = (): Promise<never> => Promise.reject(failure);
  const items = (): AsyncIterable<never> => ({ [Symbol.asyncIterator]: () => ({ next }) });
  return { kind: 'objects', name: 'records', empty: false, items, close: () => {} };
}

function isPiece(item: unknown): item is string | Uint8Array {
  return typeof item === 'string' || item instanceof Uint8Array;
}

/** An empty Node stream of bytes is an empty file, not an empty list of objects. */
function isByteStream(input: unknown): boolean {
  return (input as { readableObjectMode?: unknown }).readableObjectMode === false;
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

/** The items as bytes; text may be cut between the halves of a surrogate pair. */
async function* piecesOf(items: ItemReader): AsyncGenerator<Uint8Array, void, undefined> {
  const joiner = new SurrogateJoiner();
  for await (const item of itemsOf(items)) {
    if (item instanceof Uint8Array) yield item;
    else if (typeof item === 'string') yield encodeText(joiner.add(item), surrogateMark);
    else {
      const what = item === null ? 'null' : typeof item;
      throw new BrokenInput(
        `it gives an item of type ${what} after pieces of a file`,
        'Give either bytes, or text, or objects.',
      );
    }
  }
  yield encodeText(joiner.end(), surrogateMark);
}

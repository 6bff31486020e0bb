import { stat } from 'node:fs/promises';
import type { Input } from '../model/source.js';
import { BrokenInput, brokenSource, unreadable } from './broken-input.js';
import { openInputs } from './inputs.js';
import type { ObjectsInput, RawInput } from './raw-input.js';

const MAX_BYTES = 64 * 1024 ** 2;
const MAX_OBJECTS = 100_000;

/**
 * Replaces an input that can be read only once (a stream, stdin, a pipe, an iterable) by its start
 * in memory, for a caller that reads it several times. Others are returned unchanged.
 * @throws SourceError if it can't be read; SourceBrokenError if an iterable fails
 */
export async function keepStart(input: Input): Promise<Input> {
  const isOnce =
    typeof input === 'string' ? await isPipe(input) : !Array.isArray(input) && !isBytes(input);
  const [opened] = isOnce ? await openInputs(input) : [];
  if (opened === undefined) return input;
  const { raw } = opened;
  try {
    return raw.kind === 'objects' ? await firstObjects(raw) : await firstBytes(raw);
  } finally {
    raw.close();
  }
}

async function isPipe(path: string): Promise<boolean> {
  if (path === '-') return true;
  // Opening the path reports what is wrong with it.
  const found = await stat(path).catch(() => undefined);
  return found?.isFIFO() === true;
}

function isBytes(input: object): boolean {
  return ArrayBuffer.isView(input) || input instanceof ArrayBuffer;
}

async function firstBytes(raw: RawInput): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of raw.read()) {
      pieces.push(Buffer.from(piece));
      size += piece.length;
      if (size >= MAX_BYTES) break;
    }
  } catch (error) {
    throw error instanceof BrokenInput ? unreadable(raw.name, error) : error;
  }
  return Buffer.concat(pieces);
}

async function firstObjects(objects: ObjectsInput): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  try {
    for await (const item of objects.items()) {
      items.push(item);
      if (items.length >= MAX_OBJECTS) break;
    }
  } catch (error) {
    throw brokenSource(objects.name, { record: items.length + 1 }, error);
  }
  return items;
}

import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { ByteWindow } from '../../src/input/byte-window.js';
import { gunzip, inflateRaw } from '../../src/input/decompress.js';
import { decodePieces } from '../../src/input/encoding/decode.js';
import { takeSample } from '../../src/input/pieces.js';

/** Gives all pieces in the same memory, and spoils each when the next is asked for. */
async function* spoiled(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  const memory = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(memory, 0, at);
    yield memory.subarray(0, length);
    memory.fill(0xee);
  }
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const copies: Buffer[] = [];
  for await (const piece of pieces) copies.push(Buffer.from(piece));
  return Buffer.concat(copies).toString();
}

async function windowed(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const window = new ByteWindow(pieces);
  for (let wanted = 3; !window.ended; wanted += 3) await window.fill(0, wanted);
  return window.bytes.toString();
}

const READERS: Record<string, (text: string, size: number) => Promise<string>> = {
  gzip: (text, size) => joined(gunzip(spoiled(gzipSync(text), size))),
  'a zip archive’s data': (text, size) => joined(inflateRaw(spoiled(deflateRawSync(text), size))),
  'UTF-8': (text, size) => joined(decodePieces(spoiled(Buffer.from(text), size), 'utf-8')),
  ...Object.fromEntries(
    ['utf-16le', 'utf-16be', 'utf-32le', 'gb18030'].map((encoding) => [
      encoding,
      (text: string, size: number) =>
        joined(decodePieces(spoiled(iconv.encode(text, encoding), size), encoding)),
    ]),
  ),
  'a sample': async (text, size) => {
    const sample = await takeSample(spoiled(Buffer.from(text), size), Number.POSITIVE_INFINITY);
    return sample.bytes.toString();
  },
  'the window': (text, size) => windowed(spoiled(Buffer.from(text), size)),
};

describe('a piece whose memory is used again when the next one is asked for', () => {
  it.each(Object.entries(READERS))('is read whole as %s', async (_, read) => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, size) => {
        expect(await read(text, size)).toBe(text);
      }),
    );
  });
});

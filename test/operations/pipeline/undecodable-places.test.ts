import { describe, expect, it } from 'vitest';
import { openSources } from '../../../src/formats/open-sources.js';
import { acceptMapping } from '../../../src/mapping/load/load-mapping.js';
import type { Chunk } from '../../../src/model/chunk.js';
import { UndecodablePlaces } from '../../../src/operations/pipeline/undecodable-places.js';
import { newFolder, put } from '../../helpers/files.js';

const document = { sourceId: '{id}', text: '{text}' };
const MAPPING = acceptMapping({ name: 'Texts', profile: 'minimal', document }, 'a test');

/** A table of which every third row has a byte that is no UTF-8, and every fifth one an umlaut. */
function table(rows: number, umlaut: string): Buffer {
  const lines = Array.from({ length: rows }, (_, row) => {
    const text = row % 5 === 0 ? umlaut : 'a';
    return Buffer.from(`${row},${text}${row % 3 === 0 ? '\xe9 \xe9' : ''},b\n`, 'latin1');
  });
  return Buffer.concat([Buffer.from('id,text,more\n'), ...lines]);
}

const UMLAUTS = Buffer.from('9,über,b\n'.repeat(20));

async function chunksOf(bytes: Buffer): Promise<readonly Chunk[]> {
  const file = put(newFolder(), 'a.csv', bytes);
  const [source] = await openSources(file, { encoding: 'utf-8', chunkBytes: 64 });
  const chunks: Chunk[] = [];
  for await (const chunk of source?.chunks() ?? []) chunks.push(chunk);
  return chunks;
}

function placesIn(chunks: readonly Chunk[]): UndecodablePlaces {
  const places = new UndecodablePlaces();
  for (const chunk of chunks) {
    const column = chunk.position.record % 2 === 0 ? 'text' : 'more';
    const first = { index: 0, bytes: `0xE9 at byte ${chunk.position.byte}` };
    places.add(chunk, [{ column, records: 1, first }]);
  }
  return places;
}

describe('merged places of bytes that can not be decoded', () => {
  it.each([
    ['of text that looks like windows-1252', table(40, ''), /looks like windows-1252.*: 28 of/],
    ['of more chunks than are looked at closely', table(700, ''), /looks like windows-1252/],
    ['of UTF-8 with damage', table(60, '\xc3\xbc'.repeat(6)), /fix the bytes/],
    ['of which the end is UTF-8', Buffer.concat([table(40, ''), UMLAUTS]), /fix the bytes/],
  ])('give the notices of the whole: %s', async (_, bytes, expected) => {
    const chunks = await chunksOf(bytes);
    const whole = placesIn(chunks).notices(MAPPING);
    expect(whole.join('\n')).toMatch(expected);
    for (const cuts of [[1], [0, 3], [2, 2, 5], [Math.floor(chunks.length / 2)]]) {
      const merged = new UndecodablePlaces();
      for (const [n, from] of [0, ...cuts].entries()) {
        const part = placesIn(chunks.slice(from, cuts[n]));
        merged.merge(JSON.parse(JSON.stringify(part.snapshot())));
      }
      expect(merged.notices(MAPPING)).toEqual(whole);
    }
  });
});

import { isAscii, isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EncodingEvidence } from '../../../src/input/encoding/detect-encoding.js';
import type { BytesChunk, PlacedChunk } from '../../../src/model/chunk.js';
import { runs } from '../../helpers/runs.js';

const layout = { format: 'jsonl' };
const position = { byte: 0, record: 1, line: 1 };
const base = { source: 'r.jsonl', input: 0, layout, position, records: 1 };

const chunk = fc
  .oneof(fc.constantFrom('plain', 'caf\xe9', 'caf\xc3\xa9', '\xe9\xc3\xa9'), fc.string())
  .map((text): BytesChunk => ({ ...base, kind: 'bytes', bytes: Buffer.from(text, 'latin1') }));

/** The chunk as it comes back where bytes are given up. */
function givenUp(read: BytesChunk): PlacedChunk {
  if (!isUtf8(read.bytes)) return read;
  return { ...base, kind: 'places', beyondAscii: !isAscii(read.bytes) };
}

test('bytes that were given up tell as much of the encoding as those that are there', () => {
  fc.assert(
    fc.property(fc.array(chunk), (chunks) => {
      const whole = new EncodingEvidence();
      const left = new EncodingEvidence();
      for (const read of chunks) {
        whole.add(read);
        left.add(givenUp(read));
      }
      expect(left.snapshot()).toEqual(whole.snapshot());
    }),
    { numRuns: runs(300) },
  );
});

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ImportedDocument } from '../../src/model/document.js';
import { digestDocument } from '../../src/transform/digest-document.js';
import { loadHashes } from '../../src/transform/serialise.js';
import { brokenText } from '../../src/validation/schemas.js';
import { CODE_POINT } from '../helpers/code-point.js';
import { runs } from '../helpers/runs.js';

beforeAll(loadHashes);

/** Also quotes, control characters, emojis, and halves of them. */
const text = fc.oneof(
  fc.string({ unit: CODE_POINT }),
  fc.string(),
  fc.stringMatching(/^["\\\n\t-]*$/),
);
const broken = fc.constantFrom('\ud83d', 'a\ude42b', '\ude42\ud83d');
const some = { requiredKeys: [] };
const texts = fc.array(text, { maxLength: 3 });

/** Of the shape that mappings make, any field of which may be lacking. */
function documentsWith(text: fc.Arbitrary<string>): fc.Arbitrary<ImportedDocument> {
  const parts = fc.record(
    {
      sourceId: text,
      parentSourceId: fc.option(text),
      text,
      language: text,
      sentiment: text,
      detectedLocations: texts,
      published: text,
      downloaded: fc.constant('2024-06-03T16:30:00.000Z'),
      url: text,
      metrics: fc.array(fc.record({ name: text, value: fc.double() }), { maxLength: 3 }),
      tags: texts,
      author: fc.record(
        {
          source: text,
          sourceId: text,
          username: text,
          annotations: fc.array(fc.record({ name: text, value: text }), { maxLength: 3 }),
        },
        { requiredKeys: ['source'] },
      ),
    },
    some,
  );
  // Mappings give documents and authors a source.
  return parts.map((document) => ({ source: 'RVW', ...document }));
}

const documents = documentsWith(text);

describe('a digested document', () => {
  it('has the digest of a different document if both say the same, `downloaded` left out', () => {
    const said = ({ downloaded: _, ...rest }: ImportedDocument): string => JSON.stringify(rest);
    // Few texts, so that two documents are often alike but for where they stand.
    const alike = documentsWith(fc.constantFrom('', 'a', '-', '--', 'null', '1'));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(alike, alike),
          documents.map((one) => [one, one]),
        ),
        ([a, b]) => {
          const [first, second] = [a, b].map(
            (one = {}) => digestDocument(one as ImportedDocument).digest,
          );
          expect(first === second).toBe(said(a as object) === said(b as object));
        },
      ),
      { numRuns: runs(4_000) },
    );
  });

  it('is broken if a text holds a lone surrogate, and only then', () => {
    fc.assert(
      fc.property(fc.oneof(documents, documentsWith(fc.oneof(text, broken))), (document) => {
        expect(digestDocument(document).broken).toBe(brokenText(document).length > 0);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

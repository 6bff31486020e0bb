import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftMapping } from '../../src/guess/draft-mapping.js';
import { verifyDraft } from '../../src/guess/verify-draft.js';
import { writeMapping } from '../../src/guess/write-mapping.js';
import { CODE_POINT } from '../helpers/code-point.js';
import { runs } from '../helpers/runs.js';

const cell = fc.oneof(
  fc.constantFrom(
    '',
    '5',
    '8,7/10',
    '★★☆',
    '2024-05-06',
    '05/06/2024',
    'vor 2 Monaten',
    '1718824699',
  ),
  fc.constantFrom(
    'https://example.org/1',
    'en',
    'Deutsch',
    'Ana',
    'true',
    '<b>Good</b> &amp; cheap',
  ),
  fc.string({ unit: CODE_POINT, maxLength: 60 }),
);
const name = fc.oneof(
  fc.constantFrom('', 'id', 'rating', 'date', 'text', 'title', 'author', 'language', 'url', 'tags'),
  fc.string({ unit: CODE_POINT, maxLength: 12 }),
);
const table = fc.array(name, { minLength: 1, maxLength: 8 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    rows: fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), {
      minLength: 1,
      maxLength: 12,
    }),
  }),
);

describe('a guess', () => {
  it('is a mapping that loads and runs, whatever stands in the table, and the same each time', () => {
    const dialect = { delimiter: ',', quote: '"', escape: '"', comment: null };
    fc.assert(
      fc.property(table, ({ columns, rows }) => {
        const sample = {
          source: 'table.csv',
          layout: { format: 'csv', dialect, columns, header: 'plain' } as const,
          records: rows.map((value, at) => ({ number: at + 1, value })),
          unreadable: 0,
          remarks: [],
          seen: rows.length,
          whole: true,
          day: '2024-06-15',
        };
        if (draftMapping(sample, {}).fields.length === 0) {
          expect(() => verifyDraft(draftMapping(sample, {}))).toThrow('no column that looks like');
          return;
        }
        const { draft, checked } = verifyDraft(draftMapping(sample, {}));
        const { valid, duplicate, skipped, invalid } = checked;
        expect(valid + duplicate + skipped + invalid).toBe(rows.length);
        expect(writeMapping(verifyDraft(draftMapping(sample, {})).draft)).toBe(writeMapping(draft));
      }),
      { numRuns: runs(60) },
    );
  });
});

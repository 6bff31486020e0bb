import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectDialect } from '../../../src/formats/csv/detect-dialect.js';
import { runs } from '../../helpers/runs.js';

const table = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quote: fc.constantFrom('"', "'"),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  columns: fc.integer({ min: 2, max: 5 }),
  quoted: fc.nat(4),
  rows: fc.integer({ min: 3, max: 20 }),
});

test('a table is read in the dialect in which it was written, whichever column is quoted', () => {
  fc.assert(
    fc.property(table, ({ delimiter, quote, lineEnd, columns, quoted, rows }) => {
      const at = quoted % columns;
      const field = (row: number, column: number): string =>
        column === at ? `${quote}one${row % 2 ? delimiter : ' '}two${quote}` : `word${row}`;
      const lines = Array.from({ length: rows }, (_, row) =>
        Array.from({ length: columns }, (_, column) => field(row, column)).join(delimiter),
      );
      const bytes = Buffer.from(lines.map((line) => `${line}${lineEnd}`).join(''));
      const dialect = { delimiter, quote, escape: quote, comment: null };
      expect(detectDialect({ bytes, whole: true }, {})).toEqual(dialect);
    }),
    { numRuns: runs(300) },
  );
});

test("an apostrophe that opens no field quotes nothing, and what isn't divided is one column", () => {
  const usual = { delimiter: ',', quote: '"', escape: '"', comment: null };
  const sample = (text: string) => ({ bytes: Buffer.from(text), whole: true });
  expect(detectDialect(sample("id,text\n1,it's fine\n2,rock 'n' roll\n"), {})).toEqual(usual);
  expect(detectDialect(sample("text\nit's fine\ngood\n"), {})).toEqual(usual);
});

test('prose with commas is one column, also below a name with one', () => {
  const text =
    'Review, as written\nGood, clean, quiet\nNever again\nWell, well, well, well\nFine, really\n' +
    'The room, which was large, had a view\nGood\nBad, sad, mad, glad, clad\nSo, so\n';
  for (const header of [text, text.replace(',', '')]) {
    const { delimiter } = detectDialect({ bytes: Buffer.from(header), whole: true }, {});
    expect(header).not.toContain(delimiter);
  }
});

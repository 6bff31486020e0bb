import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvParseOptions, isPlain, PlainCsv } from '../../../src/formats/csv/parse-csv.js';
import type { Dialect } from '../../../src/model/chunk.js';
import { runs } from '../../helpers/runs.js';

/** Little else than what means something in a CSV, so that it meets often. */
const PIECES = [
  '"',
  '""',
  "'",
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r',
  '\r\n',
  ' ',
  'a',
  'é',
  '🤩',
  '\0',
  '\ufeff',
];

const dialect = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|', 'é', 'a'),
    quote: fc.constantFrom('"', "'"),
  })
  .map(({ delimiter, quote }): Dialect => ({ delimiter, quote, escape: quote, comment: null }));

/** Fields with quotes where they belong. */
const wellFormed = fc
  .tuple(
    dialect,
    fc.array(fc.array(fc.array(fc.constantFrom(...PIECES)).map((pieces) => pieces.join(''))), {
      maxLength: 6,
    }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.constantFrom('', '\n', '\r\n\n'),
  )
  .map(([chosen, rows, lineEnd, last]) => {
    const quote = String(chosen.quote);
    const doubled = (text: string): string => quote + text.replaceAll(quote, quote + quote) + quote;
    const text =
      rows.map((fields) => fields.map(doubled).join(chosen.delimiter)).join(lineEnd) + last;
    return { dialect: chosen, text };
  });

/** Anything at all. */
const anything = fc
  .tuple(dialect, fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }))
  .map(([chosen, pieces]) => ({ dialect: chosen, text: pieces.join('') }));

/** `undefined`: its quotes are malformed. */
function rowsOf(csv: PlainCsv): string[][] | undefined {
  const rows: string[][] = [];
  try {
    for (let row = csv.next(); row !== undefined; row = csv.next()) rows.push(row);
    return rows;
  } catch {
    return undefined;
  }
}

test('plain CSV gives the records of csv-parse, or refuses malformed quotes', () => {
  const left = { count: 0, of: 0 };
  fc.assert(
    fc.property(fc.oneof(wellFormed, anything), ({ dialect: chosen, text }) => {
      expect(isPlain(chosen)).toBe(true);
      const read = rowsOf(new PlainCsv(text, chosen));
      left.of += 1;
      if (read === undefined) {
        left.count += 1;
        return;
      }
      expect(read).toEqual(parse(Buffer.from(text), csvParseOptions(chosen)));
    }),
    { numRuns: runs(2000) },
  );
  // Texts of which the quotes make no sense never come here in a run: the cutter sees to that.
  expect(left.count).toBeLessThan(left.of / 2);
});

test.each<[string, Partial<Dialect>]>([
  ['several characters between fields', { delimiter: '||' }],
  ['no quotes', { quote: null }],
  ['escapes that are no quotes', { escape: '\\' }],
  ['comments', { comment: '#' }],
])('a dialect with %s is left to csv-parse', (_, difference) => {
  const plain: Dialect = { delimiter: ',', quote: '"', escape: '"', comment: null };
  expect(isPlain({ ...plain, ...difference })).toBe(false);
});

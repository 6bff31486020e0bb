import fc from 'fast-check';
import type { Table } from './csv-oracle.js';

const PIECES = [
  'a',
  'b1',
  ' ',
  'é',
  '日本',
  '😀',
  ',',
  ';',
  '\t',
  '|',
  '"',
  "'",
  '\\',
  '#',
  '\n',
  '\r\n',
  '\r',
  '::',
  ':',
];

const field: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 6 })
  .map((pieces) => pieces.join(''));

/** Tables in any dialect, with everything in them that is hard to cut. */
export const tables: fc.Arbitrary<Table> = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|', '::', '§', '||'),
    quoting: fc.constantFrom<[string, string]>(['"', '"'], ["'", "'"], ['"', '\\']),
    columns: fc.integer({ min: 1, max: 4 }),
    rows: fc.integer({ min: 1, max: 12 }),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r', 'mixed'),
    finalLineEnd: fc.boolean(),
  })
  .chain(({ quoting: [quote, mark], columns, rows, lineEnd, ...rest }) =>
    fc.record({
      ...constants({ ...rest, quote, escape: mark }),
      rows: times(rows + 1, times(columns, field)),
      quoted: times(rows + 1, times(columns, fc.boolean())),
      lineEnds: times(
        rows + 1,
        lineEnd === 'mixed' ? fc.constantFrom('\n', '\r\n', '\r') : fc.constant(lineEnd),
      ),
      before: times(
        rows + 1,
        fc.array(fc.constantFrom('', '# "a comment', '#,";|'), { maxLength: 2 }),
      ),
    }),
  )
  .map(endsApart);

function times<T>(count: number, one: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(one, { minLength: count, maxLength: count });
}

function constants<T extends object>(values: T): { [K in keyof T]: fc.Arbitrary<T[K]> } {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, fc.constant(value)]),
  ) as { [K in keyof T]: fc.Arbitrary<T[K]> };
}

/** A row that ends in CR, before a blank line that ends in LF, would be read as one CRLF. */
function endsApart(table: Table): Table {
  const lineEnds = table.lineEnds.map((lineEnd, index) =>
    lineEnd === '\r' && table.before[index + 1]?.[0] === '' && table.lineEnds[index + 1] === '\n'
      ? '\n'
      : lineEnd,
  );
  return { ...table, lineEnds };
}

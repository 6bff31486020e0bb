import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvParseOptions } from '../../../src/formats/csv/parse-csv.js';
import type { Dialect } from '../../../src/model/chunk.js';
import { csvFieldWriter } from '../../../src/report/rejects/appended-columns.js';
import { runs } from '../../helpers/runs.js';

const delimiter = fc.constantFrom(',', ';', '\t', '|', '::', '§', '||', '_', ' ');
const quoting = fc.constantFrom<[string | null, string | null]>(
  ['"', '"'],
  ["'", "'"],
  ['"', '\\'],
  ['"', null],
  ["'", null],
);
const text = fc.string({
  unit: fc.constantFrom(...'ab1_:;,|\'"\\=+-@\t\r\n §é😀\u0000'),
  maxLength: 12,
});

function writer(dialect: Partial<Dialect>): (text: string) => string {
  const whole = { delimiter: ',', quote: '"', escape: '"', comment: null, ...dialect };
  return csvFieldWriter(whole) as (text: string) => string;
}

/** What a text is on one line, when it can't be taken for a formula. */
function plain(value: string): string {
  const line = value.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return /^[=+\-@]/.test(line) ? `'${line}` : line;
}

describe('a field written in a dialect', () => {
  it('is read as what was written, on one line, between its neighbours', () => {
    fc.assert(
      fc.property(delimiter, quoting, fc.array(text), (mark, [quote, literal], texts) => {
        const dialect: Dialect = { delimiter: mark, quote, escape: literal, comment: null };
        const fields = texts.map(writer(dialect));
        const line = ['1', ...fields, '2'].join(mark);
        const [read] = parse(Buffer.from(line), csvParseOptions(dialect)) as string[][];
        const swap = (value: string) =>
          literal === null ? value.replaceAll(quote as string, quote === "'" ? '"' : "'") : value;
        expect(read?.slice(1, -1)).toEqual(texts.map((value) => swap(plain(value))));
        expect(line).not.toMatch(/[\r\n]/);
      }),
      { numRuns: runs(300) },
    );
  });

  it('stays one field where quotes mean nothing', () => {
    const marks = fc.constantFrom(',', ';', '\t', '|', '||', '§');
    fc.assert(
      fc.property(marks, fc.array(text), (mark, texts) => {
        const fields = texts.map(writer({ delimiter: mark, quote: null, escape: null }));
        for (const field of fields) expect(field).not.toMatch(/^[\s=+\-@]/);
        expect(['', ...fields, ''].join(mark).split(mark)).toHaveLength(texts.length + 2);
      }),
      { numRuns: runs(200) },
    );
  });

  it('can not be written where plain words have the delimiter in them and nothing quotes', () => {
    for (const mark of [':', 'a', '_', ' ', '7']) {
      const dialect = { delimiter: mark, quote: null, escape: null, comment: null };
      expect(csvFieldWriter(dialect)).toBeUndefined();
    }
  });
});

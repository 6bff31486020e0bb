import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRules, fieldStarts } from '../../../src/formats/boundaries/record-scanner.js';
import { csvAsRead } from '../../../src/formats/csv/record-as-read.js';
import type { Dialect } from '../../../src/model/chunk.js';
import { withoutApostrophe } from '../../../src/model/reject-columns.js';
import { CODE_POINT } from '../../helpers/code-point.js';

const usual: Dialect = { delimiter: ',', quote: '"', escape: '"', comment: null };

/** The fields of a record as they stand among the rejects. */
function escaped(record: string | Buffer, dialect = usual, again = false): string {
  const bytes = Buffer.from(record as string);
  const columns = fieldStarts(bytes, csvRules(dialect)).map(String);
  const layout = { format: 'csv', dialect, columns, header: again ? 'rejects' : 'plain' } as const;
  const appended = Buffer.from(again ? ',invalid,why,run:1:1' : '');
  const { fields } = csvAsRead(Buffer.concat([bytes, appended]), layout);
  return Buffer.from(fields ?? []).toString('latin1');
}

describe('a record among the rejects', () => {
  it.each([
    ['=1+1,a,-5', "'=1+1,a,'-5"],
    ['"=1,1","+a",@b,"\ta"', `"'=1,1","'+a",'@b,"'\ta"`],
    ["'=1,'a,''-", "''=1,'a,'''-"],
    ['a,b=1,"c""=","\n="', 'a,b=1,"c""=","\n="'],
    ['1,"a"",=b",=c', `1,"a"",=b",'=c`],
  ])('puts an apostrophe before what begins as a formula does: %j', (record, expected) => {
    expect(escaped(record)).toBe(expected);
  });

  it('is taken back by withoutApostrophe, whatever the fields, and leaves no formula', () => {
    const field = fc.oneof(
      fc.string({ unit: fc.constantFrom("'", '=', '-', '"', ',', 'a', '\t', '\n', 'é') }),
      fc.string({ unit: CODE_POINT }).map((text) => Buffer.from(text).toString()),
    );
    fc.assert(
      fc.property(
        fc.array(field, { minLength: 2, maxLength: 5 }),
        fc.boolean(),
        (fields, quoted) => {
          const record = stringify([fields], { quoted, record_delimiter: '' });
          const [read = []] = parse(Buffer.from(escaped(record), 'latin1')) as string[][];
          expect(read.map(withoutApostrophe)).toEqual(fields);
          for (const one of read) expect(one).not.toMatch(/^[=+\-@\t\r]/);
        },
      ),
    );
  });
});

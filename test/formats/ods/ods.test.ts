/** OpenDocument spreadsheets, as LibreOffice writes them and made here. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSources } from '../../../src/formats/open-sources.js';
import type { SourceOptions } from '../../../src/formats/options.js';
import { ROOT } from '../../helpers/markdown.js';
import { cell, row, spreadsheetOf, table, text } from '../../helpers/spreadsheet.js';
import { zipOf } from '../../helpers/zip.js';
import { inPieces, type ReadSource, readAll, values } from '../../input/read-all.js';

const REVIEWS = path.join(ROOT, 'test/formats/ods/libreoffice-reviews.ods');

function repeated(value: string, times: number): string {
  const attributes = `office:value-type="string" table:number-columns-repeated="${times}"`;
  return cell(value === '' ? '' : `<text:p>${value}</text:p>`, attributes);
}

async function read(tables: string, options: SourceOptions = {}): Promise<ReadSource> {
  return await readAll(inPieces(await spreadsheetOf(tables), 1000), options);
}

describe('an OpenDocument spreadsheet', () => {
  it('that LibreOffice wrote is read with all kinds of values', async () => {
    const { source, records } = await readAll(REVIEWS, { skipLines: 1 });
    expect(source.detected).toEqual({
      format: 'ods',
      encoding: null,
      compression: null,
      sheet: 'Reviews',
      columns: 'id date written arrival rating share price recommends text'.split(' '),
    });
    expect(source.notices).toEqual([expect.stringMatching(/2 sheets.*"Reviews".*: "Other"\./)]);
    expect(Buffer.from(source.head).toString()).toMatch(/^"Guest reviews, first quarter"\n/);
    const full = ['1', '2026-01-31', '2026-01-31T14:30:15', '18:05:00', '4.1', '7%', '1234.5'];
    const paragraphs = 'Clean and quiet.\nWe   would come again.';
    const twice = ['', '', '', '', '5', '5', '', '', 'Good'];
    expect(records).toEqual([
      { record: 1, line: 5, value: [...full, 'true', paragraphs] },
      { record: 2, line: 6, value: twice },
      { record: 3, line: 7, value: twice },
      { record: 4, line: 8, value: twice },
      { record: 5, line: 11, value: ['2', '', '', '', '', '', '', '', 'ab'] },
    ]);
    expect(source.remarks?.()).toEqual([
      expect.stringMatching(/"Reviews", 1 cell holds an error.*#DIV\/0! in D11: read as empty/),
    ]);
  });

  it.each<[string | number, unknown]>([
    ['Other', ['7']],
    [3, ['7']],
    ['Notes', []],
  ])('has its sheets chosen like those of workbooks: %j', async (sheet, first) => {
    const read = await readAll(REVIEWS, { sheet });
    expect(values(read)[0] ?? []).toEqual(first);
  });

  it('has no sheet but those it has', async () => {
    await expect(openSources(REVIEWS, { sheet: 'review' })).rejects.toThrow(
      /no sheet "review"; it has "Notes", "Reviews", "Other"\. Did you mean "Reviews"\?/,
    );
  });

  it.each<[string, string, string]>([
    [
      'a number',
      cell('<text:p>4,10</text:p>', attributes('float', 'value', '4.0999999999999996')),
      '4.1',
    ],
    [
      'a sum with digits that adding made',
      cell('<text:p>0,3</text:p>', attributes('float', 'value', '0.30000000000000004')),
      '0.3',
    ],
    [
      'a number shown with zeros before it',
      cell('<text:p>00042</text:p>', attributes('float', 'value', '42')),
      '00042',
    ],
    [
      'a duration in days and hours',
      cell('<text:p>37:30:00</text:p>', attributes('time', 'time-value', 'P1DT13H30M')),
      '37:30:00',
    ],
    [
      'a duration that is written as a day of 1899',
      cell('<text:p>36:00:00</text:p>', attributes('date', 'date-value', '1899-12-31T12:00:00')),
      '36:00:00',
    ],
    ['a price', cell('', attributes('currency', 'value', '1234.5')), '1234.5'],
    ['a share', cell('', attributes('percentage', 'value', '0.855')), '85.5%'],
    ['false', cell('', attributes('boolean', 'boolean-value', 'false')), 'false'],
    ['a day', cell('', attributes('date', 'date-value', '2026-01-31')), '2026-01-31'],
    [
      'a moment with a fraction that means nothing',
      cell('', attributes('date', 'date-value', '2026-01-31T14:29:59.999999997')),
      '2026-01-31T14:30:00',
    ],
    [
      'a moment with milliseconds',
      cell('', attributes('date', 'date-value', '2026-01-31T14:30:00.250000000')),
      '2026-01-31T14:30:00.250',
    ],
    [
      'no day',
      cell('', attributes('date', 'date-value', '2026-99-31T25:00:00.5')),
      '2026-99-31T25:00:00.5',
    ],
    [
      'an elapsed time',
      cell('', attributes('time', 'time-value', 'PT36H05M00.5S')),
      '36:05:00.500',
    ],
    ['a text of a formula', cell('', attributes('string', 'string-value', 'ab')), 'ab'],
    ['a text without a type', cell('<text:p>x</text:p>', ''), 'x'],
    [
      'blanks, tabs and line breaks',
      text('a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d'),
      'a   b\tc\nd',
    ],
    ['XML that is laid out', text('a\n      <text:span>b\n   c</text:span>'), 'a b c'],
    [
      'no comments, pictures and pronunciations',
      cell(
        '<office:annotation><text:p>who</text:p></office:annotation><text:p>a<text:ruby><text:ruby-base>b</text:ruby-base><text:ruby-text>be</text:ruby-text></text:ruby></text:p><draw:frame><draw:text-box><text:p>no</text:p></draw:text-box></draw:frame>',
      ),
      'ab',
    ],
    [
      'what a merged cell covers',
      '<table:covered-table-cell office:value-type="float" office:value="3"/>',
      '3',
    ],
    [
      'no table in a cell',
      cell(`<table:table>${row(text('x'))}</table:table><text:p>y</text:p>`),
      'y',
    ],
  ])('reads %s', async (_, made, expected) => {
    expect(values(await read(table(row(text('value')) + row(made))))).toEqual([[expected]]);
  });

  it('may hold formulas without a result: such cells are empty, and they are counted', async () => {
    const formula = 'table:formula="of:=[.A1]"';
    const { records, source } = await read(
      table(
        row(text('a') + text('b')) +
          row(
            cell('', `${formula} office:value-type="float" office:value="2"`) + cell('', formula),
          ) +
          row(text('3') + cell('', `${formula} office:value-type="string" office:string-value=""`)),
      ),
    );
    expect(records.map(({ value }) => value)).toEqual([
      ['2', ''],
      ['3', ''],
    ]);
    expect(source.remarks?.()).toEqual([
      expect.stringMatching(/1 cell holds a formula without a stored result, the first in B2/),
    ]);
  });

  it('gives a source for each of several sheets', async () => {
    const sources = await openSources(REVIEWS, { sheet: ['Other', 'Reviews'], skipLines: 1 });
    expect(sources.map(({ detected }) => detected.sheet)).toEqual(['Other', 'Reviews']);
  });

  it('has groups of rows, and rows and cells that are repeated', async () => {
    const rows = [
      row(repeated('', 1024), 3),
      `<table:table-header-rows>${row(text('a') + text('b') + text('c'))}</table:table-header-rows>`,
      `<table:table-row-group>${row(repeated('', 2) + repeated('x', 2), 2)}</table:table-row-group>`,
      row(repeated('', 16_384), 1_048_000),
    ];
    const { records } = await read(table(rows.join('')));
    expect(records).toEqual([
      { record: 1, line: 5, value: ['', '', 'x'] },
      { record: 2, line: 6, value: ['', '', 'x'] },
    ]);
  });

  it('has hidden sheets, which are not read unless they are stated', async () => {
    const tables =
      table(row(text('no')), 'Gone', 'gone') + table(row(text('id')) + row(text('1')), 'Shown');
    expect((await read(tables)).source.detected.sheet).toBe('Shown');
    expect((await read(tables, { sheet: 1 })).source.detected.sheet).toBe('Gone');
  });
});

function attributes(type: string, name: string, value: string): string {
  return `office:value-type="${type}" office:${name}="${value}"`;
}

describe('an OpenDocument spreadsheet that makes no sense', () => {
  const header = row(text('id')) + row(text('1'));

  it.each<[string, string, RegExp]>([
    ['a row that is repeated beyond all', row(text('x'), 9_999_999), /its row 10000001 can't be/],
    ['cells that are repeated beyond all', row(repeated('x', 99_999)), /cell in column 99999/],
    ['what makes disks full of little', row(repeated('x'.repeat(99), 9999), 999_999), /fill disks/],
    ['blanks that do', row(text('<text:s text:c="999999999"/>')), /fill disks/],
    ['a number that is none', row(text('x'), 'many'), /repeats "many" times/],
    ['XML that ends early', '<table:table-row>', /well-formed/],
  ])('gives the rows before %s', async (_, rows, message) => {
    const { records, error } = await read(table(header + rows));
    expect(records).toEqual([{ record: 1, line: 2, value: ['1'] }]);
    expect(error).toMatchObject({
      name: 'SourceBrokenError',
      message: expect.stringMatching(message),
    });
  });

  it('is refused if it has a password', async () => {
    const manifest =
      '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    const encrypted = await spreadsheetOf('', {
      'META-INF/manifest.xml': manifest,
      'content.xml': '\u0001\u0002',
    });
    await expect(readAll(inPieces(encrypted, 999))).rejects.toThrow(
      /can't be read: it has a password\. Save it without one/,
    );
  });

  it('is refused if it has no sheets, is cut off, or has a document type declaration', async () => {
    await expect(read('')).rejects.toThrow(/no sheet with cells/);
    const whole = await spreadsheetOf(table(header));
    await expect(readAll(inPieces(whole.subarray(0, -9), 999))).rejects.toThrow(/cut off/);
    const typed = await spreadsheetOf('', {
      'content.xml': '<!DOCTYPE x><office:document-content/>',
    });
    await expect(readAll(inPieces(typed, 9))).rejects.toThrow(/document type declaration/);
  });

  it('is none, or is stated as something else', async () => {
    await expect(openSources(REVIEWS, { format: 'xlsx' })).rejects.toThrow(
      /is an OpenDocument spreadsheet, but its format is given as xlsx/,
    );
    const table = inPieces(Buffer.from('id\n1\n'), 9);
    await expect(readAll(table, { format: 'ods' })).rejects.toThrow(
      /is not an OpenDocument spreadsheet/,
    );
  });
});

describe('an OpenDocument file whose media type is not in its first bytes', () => {
  const entry = (path: string, type: string): string =>
    `<manifest:file-entry manifest:media-type="application/vnd.oasis.opendocument.${type}" manifest:full-path="${path}"/>`;
  const manifestOf = (...entries: string[]): string =>
    `<manifest:manifest>${entries.join('')}</manifest:manifest>`;
  const content = `<office:spreadsheet>${table(row(text('id')) + row(text('r1')))}</office:spreadsheet>`;

  it.each([
    ['missing', {}],
    ['at the end', { mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }],
  ])('is read by its manifest: %s', async (_, parts) => {
    const file = await zipOf({
      'content.xml': content,
      'META-INF/manifest.xml': manifestOf(entry('/', 'spreadsheet')),
      ...parts,
    });
    expect(values(await readAll(inPieces(file, 99)))).toEqual([['r1']]);
  });

  it('is refused if it is a text with a spreadsheet in it', async () => {
    const file = await zipOf({
      'content.xml': content,
      'META-INF/manifest.xml': manifestOf(entry('/', 'text'), entry('Object 1/', 'spreadsheet')),
    });
    await expect(openSources(inPieces(file, 99))).rejects.toThrow(/an OpenDocument file \(\.odt\)/);
  });
});

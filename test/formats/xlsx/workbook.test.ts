import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSources } from '../../../src/formats/open-sources.js';
import type { SourceOptions } from '../../../src/formats/options.js';
import { serialText } from '../../../src/formats/xlsx/cell-formats.js';
import { ROOT } from '../../helpers/markdown.js';
import { runs } from '../../helpers/runs.js';
import {
  type MadeWorkbook,
  textRows,
  workbookOf,
  workbookOfTexts,
} from '../../helpers/workbook.js';
import { zipOf } from '../../helpers/zip.js';
import { inPieces, type ReadSource, readAll, readSource, values } from '../../input/read-all.js';

function read(workbook: Buffer, options: SourceOptions = {}): Promise<ReadSource> {
  return readAll(inPieces(workbook, 1000), options);
}

async function readMade(made: MadeWorkbook, options: SourceOptions = {}): Promise<ReadSource> {
  return await read(await workbookOf(made), options);
}

function sheet(rows: string): { readonly sheets: MadeWorkbook['sheets'] } {
  return { sheets: [{ name: 'Reviews', rows }] };
}

/** Rows of a header `value` and one cell. */
function oneCell(cell: string): string {
  return `<row r="1"><c t="str"><v>value</v></c></row><row r="2">${cell}</row>`;
}

describe('a workbook', () => {
  it('gives a record for each row, with the columns of the header and the row as its line', async () => {
    const { source, records } = await read(
      await workbookOfTexts([
        ['id', ' text '],
        ['1', 'Good, "clean"'],
        ['', ''],
        ['2', 'a\nb'],
      ]),
    );
    expect(source.detected).toMatchObject({ format: 'xlsx', sheet: 'Reviews', encoding: null });
    expect(source.layout).toEqual({ format: 'xlsx', columns: ['id', 'text'] });
    expect(records).toEqual([
      { record: 1, line: 2, value: ['1', 'Good, "clean"'] },
      { record: 2, line: 4, value: ['2', 'a\nb'] },
    ]);
  });

  it.each<[string, string, string]>([
    ['a number', '<c><v>4.5</v></c>', '4.5'],
    ['an id of many digits', '<c><v>1234567890123456789</v></c>', '1234567890123456789'],
    ['a number shown with zeros before it', '<c s="9"><v>42</v></c>', '00042'],
    ['true', '<c t="b"><v>1</v></c>', 'true'],
    ['a shared text', '<c t="s"><v>1</v></c>', 'rich text'],
    ['a text in the cell', '<c t="inlineStr"><is><r><t>a</t></r><r><t> b</t></r></is></c>', 'a b'],
    ['a formula that gives a text', '<c t="str"><f>A1&amp;"x"</f><v>valuex</v></c>', 'valuex'],
    ['an escaped character', '<c t="str"><v>a_x000D_b _x005F_x000D_</v></c>', 'a\rb _x000D_'],
    ['entities of XML', '<c t="str"><v>&lt;b&gt; &amp; &#233;</v></c>', '<b> & é'],
    ['a day', '<c s="1"><v>46053</v></c>', '2026-01-31'],
    ['a moment', '<c s="2"><v>46053.604166666664</v></c>', '2026-01-31T14:30:00'],
    ['a time of day', '<c s="3"><v>0.75</v></c>', '18:00:00'],
    ['an elapsed time', '<c s="4"><v>1.5</v></c>', '36:00:00'],
    ['the day that never was, and those before it', '<c s="1"><v>59</v></c>', '1900-02-28'],
  ])('reads %s', async (_, cell, expected) => {
    const read = await readMade({
      ...sheet(oneCell(cell)),
      shared:
        '<si><t>other</t></si><si><r><t>rich</t></r><r><t xml:space="preserve"> text</t></r><rPh><t>x</t></rPh></si>',
      formats: {
        164: 'dd/mm/yyyy\\ hh:mm',
        165: '[h]:mm',
        166: '#,##0.00 "days"[Red]',
        167: '0.0\\ %',
        168: 'mm:ss.0',
        169: '00000',
        170: '00000;[Red]\\-00000',
      },
      styles: [0, 14, 164, 20, 165, 166, 9, 167, 168, 169, 170],
    });
    expect(values(read)).toEqual([[expected]]);
  });

  it('may have its parts elsewhere: its relations name them', async () => {
    const relations = (id: string, type: string, target: string): string =>
      `<Relationships><Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/></Relationships>`;
    const parts = {
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relations('z', 'officeDocument', '/book.xml'),
      'book.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="May" sheetId="1" r:id="a"/></sheets></workbook>',
      '_rels/book.xml.rels': relations('a', 'worksheet', 's/1.xml'),
      's/1.xml': `<worksheet><sheetData>${textRows([['id'], ['1']])}</sheetData></worksheet>`,
    };
    const read = await readAll(inPieces(await zipOf(parts), 999));
    expect(read.source.detected).toMatchObject({ format: 'xlsx', sheet: 'May' });
    expect(values(read)).toEqual([['1']]);
  });

  it('may count its days from 1904', async () => {
    const made = { ...sheet(oneCell('<c s="1"><v>44591</v></c>')), styles: [0, 14] };
    expect(values(await readMade({ ...made, from1904: true }))).toEqual([['2026-01-31']]);
  });

  it('may leave out the numbers of rows and cells, and cells themselves', async () => {
    const made = sheet(
      '<row><c t="str"><v>a</v></c><c t="str"><v>b</v></c><c t="str"><v>c</v></c></row><row/><row><c r="B3"><v>1</v></c></row><row r="7"><c r="A7"><v>2</v></c><c r="D7"><v>3</v></c></row>',
    );
    expect((await readMade(made)).records).toEqual([
      { record: 1, line: 3, value: ['', '1', ''] },
      { record: 2, line: 7, value: ['2', '', ''] },
    ]);
  });

  it('is cut into the same records, whatever the size of its chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 3, maxLength: 3 })),
        fc.integer({ min: 64, max: 500 }),
        async (rows, chunkBytes) => {
          const workbook = await workbookOfTexts([['a', 'b', 'c'], ...rows]);
          const cut = await read(workbook, { chunkBytes });
          const kept = rows.flatMap((value, index) =>
            value.every((text) => text === '') ? [] : [{ line: index + 2, value }],
          );
          expect(cut.records.map(({ line, value }) => ({ line, value }))).toEqual(kept);
          const positions = cut.chunks.map(({ position, records }) => position.record + records);
          expect(cut.chunks.slice(1).map(({ position }) => position.record)).toEqual(
            positions.slice(0, -1),
          );
        },
      ),
      { numRuns: runs(50) },
    );
  });
});

describe('a serial number', () => {
  it('is the day and the millisecond that Date counts', () => {
    const millisecond = fc.integer({ min: 0, max: 86_399_999 });
    fc.assert(
      fc.property(fc.integer({ min: 61, max: 2_958_465 }), millisecond, (day, ms) => {
        const date = new Date(Date.UTC(1899, 11, 30) + day * 86_400_000 + ms);
        const text = serialText(day + ms / 86_400_000, 'moment', false);
        expect(text).toBe(date.toISOString().replace(/(\.000)?Z$/, ''));
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('the sheet', () => {
  const sheets = [
    { name: 'Notes', state: 'hidden', rows: textRows([['n'], ['0']]) },
    { name: 'Reviews', rows: textRows([['id'], ['1']]) },
    { name: '2', rows: textRows([['id'], ['2']]) },
  ] as const;

  it('is the first that is not hidden, and the others are named', async () => {
    const { source, ...others } = await readMade({ sheets });
    expect(values({ source, ...others })).toEqual([['1']]);
    expect(source.notices).toEqual([expect.stringMatching(/2 sheets.*"Reviews".*: "2"\./)]);
  });

  it.each<[string | number, string]>([
    ['Notes', '0'],
    ['1', '0'],
    ['2', '2'],
    [3, '2'],
  ])('may be stated: %j', async (stated, expected) => {
    const read = await readMade({ sheets }, { sheet: stated });
    expect(values(read)).toEqual([[expected]]);
    expect(read.source.notices).toEqual([]);
  });

  it('that is not there is told beside those that are', async () => {
    await expect(readMade({ sheets }, { sheet: 'review' })).rejects.toThrow(
      /no sheet "review"; it has "Notes", "Reviews", "2"\. Did you mean "Reviews"\?/,
    );
    await expect(readMade({ sheets }, { sheet: 9 })).rejects.toThrow(/no sheet 9/);
    await expect(readMade({ sheets }, { sheet: 0 })).rejects.toMatchObject({ name: 'OptionError' });
  });

  it('may be several, each of which is a source', async () => {
    const made = await workbookOf({ sheets });
    for (const [stated, expected] of [
      [
        ['2', 'Reviews'],
        ['stream, sheet "2"', 'stream, sheet "Reviews"'],
      ],
      [[1], ['stream']],
      ['all', ['stream, sheet "Reviews"', 'stream, sheet "2"']],
    ] as const) {
      const sources = await openSources(inPieces(made, 999), { sheet: stated });
      expect(sources.map(({ name }) => name)).toEqual(expected);
      const read = [];
      for (const source of sources) read.push(...values(await readSource(source)));
      expect(read).toHaveLength(expected.length);
    }
    await expect(openSources(inPieces(made, 999), { sheet: ['2', 'x'] })).rejects.toThrow(
      /no sheet "x"/,
    );
    for (const sheet of [[], [0], ['']]) {
      await expect(openSources(inPieces(made, 999), { sheet })).rejects.toThrow(/sheet is/);
    }
  });

  it('may hold errors: such cells are empty, and they are counted with the first place', async () => {
    const error = (name: string): string => `<c t="e"><f>x</f><v>${name}</v></c>`;
    const row = (cells: string): string => `<row>${cells}</row>`;
    const header = textRows([['id', 'text', 'date']]);
    const rows = [row(`<c><v>1</v></c>${error('#NAME?')}`), row(`<c r="C3" t="e"><v>#N/A</v></c>`)];
    const { records, source } = await readMade(sheet(header + rows.join('')));
    expect(records).toEqual([{ record: 1, line: 2, value: ['1', '', ''] }]);
    expect(source.remarks?.()).toEqual([
      expect.stringMatching(
        /^stream, sheet "Reviews", 2 cells with an error, .* are read as empty; the first is #NAME\? in B2\. Correct the errors/,
      ),
    ]);
    const none = await readMade(sheet(header + row('<c><v>1</v></c>')));
    expect(none.source.remarks?.()).toEqual([]);
  });

  it('that is empty, or has only a header, says so', async () => {
    await expect(readMade(sheet(''))).rejects.toThrow(/sheet "Reviews", is empty/);
    const { source, records } = await readMade(sheet(textRows([['id']])));
    expect(records).toEqual([]);
    expect(source.notices).toEqual([expect.stringContaining('only a header')]);
  });
});

describe('a workbook that makes no sense', () => {
  const reads = textRows([['id'], ...Array.from({ length: 5000 }, (_, row) => [`r${row}`])]);

  it('is refused when it is cut off', async () => {
    const workbook = await workbookOfTexts([['id'], ['1']]);
    for (const length of [4, 100, workbook.length - 1]) {
      await expect(read(workbook.subarray(0, length))).rejects.toMatchObject({
        name: 'SourceError',
        message: expect.stringMatching(/zip archive.*cut off/),
      });
    }
  });

  it.each<[string, string, RegExp]>([
    ['rows out of order', '<row r="9001"/><row r="3"/>', /row "3" after row 9001/],
    ['XML that ends early', '<row r="9001"><c>', /well-formed/],
    ['an entity that is not one', '<row r="9001"><c><v>&bomb;</v></c></row>', /well-formed/],
  ])('gives the rows before %s', async (_, rows, message) => {
    const last = reads.replaceAll(/r="\d+"/g, '');
    const { records, error } = await readMade(sheet(`${last}${rows}`));
    expect(error).toMatchObject({ name: 'SourceBrokenError', exitCode: 4 });
    expect((error as Error).message).toMatch(message);
    expect(records).toHaveLength(5000);
  });

  it('has no document type declaration', async () => {
    const part =
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>';
    const made = { ...sheet(''), parts: { 'xl/worksheets/sheet1.xml': part } };
    await expect(readMade(made)).rejects.toThrow(/document type declaration/);
  });

  it('has rows that are too long as invalid records, and goes on', async () => {
    const rows = [['id'], ['a'.repeat(500)], ['b']];
    const { records } = await read(await workbookOfTexts(rows), { maxRecordBytes: 100 });
    expect(records).toEqual([
      { record: 1, line: 2, problem: expect.objectContaining({ kind: 'too-long' }) },
      { record: 2, line: 3, value: ['b'] },
    ]);
  });

  it.each<[string, RegExp]>([
    ['xl/workbook.bin', /binary Excel workbook.*save the table in it/],
    ['word/document.xml', /Word document/],
    ['mimetype', /OpenDocument/],
    ['Index/Tables/DataList.iwa', /a Numbers, Pages or Keynote document.*save the table in it/],
  ])('is another document: %s', async (part, message) => {
    const other = await zipOf({ '[Content_Types].xml': '<Types/>', 'xl/a': '', [part]: '' });
    await expect(read(other)).rejects.toThrow(message);
  });

  it.each<[string, RegExp]>([
    ['libreoffice-old.xls', /libreoffice-old\.xls is an old Excel workbook.*save it as \.xlsx/],
  ])('is of another kind, as LibreOffice writes it: %s', async (name, message) => {
    const file = path.join(ROOT, 'test/guess/workbooks', name);
    await expect(openSources(file)).rejects.toThrow(message);
  });
});

/** Rejects are imported again with the mapping that they come from, whatever that says of its inputs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { importDocuments, type Mapping, OptionError } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { shareSandbox } from '../helpers/start-sandbox.js';
import { textRows, workbookOf, workbookOfTexts } from '../helpers/workbook.js';
import { zipOf } from '../helpers/zip.js';

const share = shareSandbox();
/** Of imports that are refused before anything is sent. */
const NOWHERE = { baseUrl: 'http://127.0.0.1:9/5.0', username: 'u', apiKey: 'k' };

const HEADER = ['id', 'text', 'date'];
const ROWS = [
  ['1', 'Señor Uno', '2024-06-03'],
  ['2', 'Señor "Dos"; el segundo', 'never'],
];
const TITLES = [['Reviews'], ['of the hotel']];
const objects = ROWS.map(([id, text, date]) => ({ id, text, date }));
const csv = (delimiter: string) =>
  [HEADER, ...ROWS]
    .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(delimiter))
    .join('\r\n')
    .concat('\r\n');
const sheets = [
  { name: 'Notes', rows: textRows([['nothing']]) },
  { name: 'Reviews', rows: textRows([...TITLES, HEADER, ...ROWS]) },
];

/** Each with all that its mapping can say of it. */
const CASES: readonly (readonly [string, string | Buffer, Mapping['input'], string])[] = [
  ['a.csv', csv(','), {}, 'bad.csv'],
  [
    'b.csv',
    iconv.encode(`Reviews\r\nof the hotel\r\n${csv(';')}`, 'windows-1252'),
    { format: 'csv', delimiter: ';', encoding: 'windows-1252', skipLines: 2, header: true },
    'bad.csv',
  ],
  [
    'c.xlsx',
    await workbookOf({ sheets }),
    { format: 'xlsx', sheet: 'Reviews', skipLines: 2, encoding: 'windows-1252' },
    'bad.csv',
  ],
  [
    'e.parquet',
    Buffer.from(
      parquetWriteBuffer({
        columnData: HEADER.map((name, at) => ({ name, data: ROWS.map((row) => row[at] ?? '') })),
      }),
    ),
    { format: 'parquet' },
    'bad.jsonl',
  ],
  [
    'f.json',
    JSON.stringify({ a: { list: objects } }),
    { format: 'json', records: 'a.list' },
    'bad.json',
  ],
  [
    'h.xml',
    `<f>${objects.map(({ id, text, date }) => `<r><id>${id}</id><text>${text}</text><date>${date}</date></r>`).join('\n')}</f>`,
    { format: 'xml', records: 'f/r' },
    'bad.xml',
  ],
  ['i.csv.gz', gzipSync(csv(';')), { format: 'csv', delimiter: ';' }, 'bad.txt'],
  ['j.zip', await zipOf({ 'k.csv': csv('\t') }), { format: 'csv', delimiter: '\t' }, 'bad.tsv'],
];

describe('rejects', () => {
  it.each(CASES)('of %s are imported with its mapping', async (name, content, input, rejects) => {
    const folder = newFolder();
    const { sandbox: connection, monitoring } = await share();
    const document = {
      sourceId: '{id}',
      text: '{text}',
      language: 'es',
      published: { from: 'date', date: 'iso' },
    };
    const options = {
      ...{ mapping: { profile: 'minimal', zone: 'UTC', input, document } as Mapping },
      ...{ monitoring, connection, stateDir: path.join(folder, 'state') },
    };
    const first = await importDocuments({
      ...options,
      input: put(folder, name, content),
      rejects: path.join(folder, rejects),
    });
    expect(first.counts).toMatchObject({ accepted: 1, invalid: 1 });
    const written = readFileSync(path.join(folder, rejects));
    const fixed = iconv
      .decode(written, 'latin1')
      .replaceAll(/("|>|,|;|\t|^)never/g, '$12024-06-04');
    const again = put(folder, `fixed-${rejects}`, iconv.encode(fixed, 'latin1'));
    const second = await importDocuments({ ...options, input: again });
    expect(second.counts).toMatchObject({ read: 1, accepted: 1 });
    const shown = await shownDocuments(connection, monitoring);
    expect(shown.map(({ text }) => text).toSorted()).toEqual(
      ROWS.map(([, text]) => text).toSorted(),
    );
  });

  it('are known when a spreadsheet has saved them as a workbook, or with its own delimiter', async () => {
    const folder = newFolder();
    const { sandbox: connection, monitoring } = await share();
    const document = { sourceId: '{id}', text: '{text}', language: 'es', published: '{date}' };
    const input = { format: 'csv', delimiter: ',', skipLines: 1, encoding: 'windows-1252' };
    const mapping = { profile: 'minimal', input, document } as Mapping;
    const options = { mapping, monitoring, connection, stateDir: path.join(folder, 'state') };
    const rows = [
      [...HEADER, 'docferry_outcome', 'docferry_problems', 'docferry_origin'],
      [
        '7',
        'Señora',
        '2024-06-03T12:00:00Z',
        'invalid',
        'bad-format: x',
        '20260131-093000-ab12cd:1:12',
      ],
    ];
    const book = put(folder, 'fixed.xlsx', await workbookOfTexts(rows));
    const one = await importDocuments({ ...options, input: book });
    expect(one.counts).toMatchObject({ read: 1, accepted: 1 });
    const lines = rows
      .map((row) => row.join(';'))
      .join('\r\n')
      .replace('7;', '8;');
    const text = put(folder, 'fixed.csv', `\ufeff${lines}\r\n`);
    const other = await importDocuments({ ...options, input: text });
    expect(other.counts).toMatchObject({ read: 1, accepted: 1 });
    const shown = await shownDocuments(connection, monitoring);
    expect(shown.map(({ sourceId, text }) => `${sourceId} ${text}`).toSorted()).toEqual([
      '7 Señora',
      '8 Señora',
    ]);
  });

  it.each([
    ['a.csv', 'bad.xlsx', 'CSV: name it bad.csv.'],
    ['a.csv', 'bad.parquet', 'CSV: name it bad.csv.'],
    ['c.xlsx', 'bad.xlsx', 'CSV: name it bad.csv.'],
    ['e.parquet', 'bad.parquet', 'JSON Lines: name it bad.jsonl.'],
    ['f.json', 'bad.jsonl', 'JSON: name it bad.json.'],
    ['h.xml', 'bad.zip', 'XML: name it bad.xml.'],
  ])('of %s are refused a name like %s', async (name, rejects, remedy) => {
    const [, content = '', input] = CASES.find(([one]) => one === name) ?? [];
    const folder = newFolder();
    const importing = importDocuments({
      ...{ input: put(folder, name, content), mapping: { input, document: { text: '{text}' } } },
      ...{ monitoring: 1, connection: NOWHERE, stateDir: false, rejects },
    } as Parameters<typeof importDocuments>[0]);
    await expect(importing).rejects.toThrow(OptionError);
    await expect(importing).rejects.toThrow(`rejects ${rejects} can't be a file of that kind`);
    await expect(importing).rejects.toThrow(remedy);
  });

  it.each(['a.jsonl', 'a.csv.gz'])(
    'are not to be named as the input instead of %s',
    async (name) => {
      const folder = newFolder();
      const importing = importDocuments({
        ...{ input: put(folder, 'a.csv', csv(',')), mapping: { document: { text: '{text}' } } },
        ...{ monitoring: 1, connection: NOWHERE, stateDir: false },
        rejects: path.join(folder, name),
      });
      await expect(importing).rejects.toThrow(`name it ${path.join(folder, 'a.rejects.csv')}.`);
    },
  );
});

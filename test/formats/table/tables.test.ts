/** Tables as people and programs write them, read with nothing stated. */
import { describe, expect, it } from 'vitest';
import { openSources } from '../../../src/formats/open-sources.js';
import type { SourceOptions } from '../../../src/formats/options.js';
import { planSpans } from '../../../src/formats/plan-spans.js';
import { parseChunk } from '../../../src/formats/read-records.js';
import { newFolder, put } from '../../helpers/files.js';
import { inPieces, readAll } from '../../input/read-all.js';

const TEXTS = ['Cold, loud; never again', 'We said "wow", twice', 'Fine'];
const FIELDS = Array.from({ length: 40 }, (_, row) => [
  String(2100 + row),
  `Ana ${'PQRS'[row % 4]}.`,
  `${TEXTS[row % 3]} (${row})`,
  String(1 + (row % 5)),
  `2023-0${1 + (row % 9)}-1${row % 10}`,
]);
const NAMES = ['id', 'author', 'review', 'stars', 'date'];

function quoted(field: string): string {
  return /[",;]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

function line(fields: readonly string[], delimiter = ','): string {
  return fields.map(quoted).join(delimiter);
}

const ROWS = FIELDS.map((fields) => line(fields));
const HEADER = line(NAMES);

async function read(lines: readonly string[], options: SourceOptions = {}) {
  const text = `${lines.join('\n')}\n`;
  const { source, records } = await readAll(inPieces(Buffer.from(text), 997), options);
  const values = records.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const { columns, header } = source.layout;
  const notices = source.notices.join('\n');
  return { columns, header, values, notices, invalid: records.length - values.length, source };
}

describe('the table is read whole', () => {
  it.each<[string, readonly string[], RegExp?]>([
    ['with a blank behind each delimiter', [NAMES, ...FIELDS].map((row) => line(row, ', '))],
    ...['~', '^', '\u0001', '\u001f', '|', '\t', ';'].map((delimiter): [string, string[]] => [
      `divided at ${JSON.stringify(delimiter)}`,
      [NAMES, ...FIELDS].map((row) => line(row, delimiter)),
    ]),
    [
      'with a delimiter of its own in the header',
      [HEADER, ...FIELDS.map((row) => line(row, ';'))],
      /read separately/,
    ],
    [
      'below a header with a stray quote',
      [HEADER.replace('review', '"review'), ...ROWS],
      /read separately/,
    ],
  ])('%s', async (_, lines, notice = /^$/) => {
    const { columns, values, invalid, notices } = await read(lines);
    const names = columns?.map((name) => name.replace('"', ''));
    expect({ names, values, invalid }).toEqual({ names: NAMES, values: FIELDS, invalid: 0 });
    expect(notices).toMatch(notice);
  });

  it('below lines that are no part of it, which are named', async () => {
    for (const before of [
      ['Reviews of May'],
      ['Reviews of May,,,,', ',,,,'],
      ['Property,Adler', 'From,2024-01-01', ''],
    ]) {
      const { columns, values, notices, source } = await read([...before, HEADER, ...ROWS]);
      expect({ columns, values }).toEqual({ columns: NAMES, values: FIELDS });
      expect(notices).toMatch(/skipped .*before the table/);
      expect(Buffer.from(source.head).toString()).toBe(`${[...before, HEADER].join('\n')}\n`);
    }
  });

  it('up to lines behind it, which are named with their place', async () => {
    const { values, notices, invalid } = await read([
      ...[HEADER, ...ROWS, ''],
      ...['Total reviews: 40', 'Made, by hand'],
    ]);
    expect({ values, invalid }).toEqual({ values: FIELDS, invalid: 0 });
    expect(notices).toMatch(
      /skipped 2 lines from line 43 on after the table \("Total reviews: 40"\)/,
    );
    const spread = await read([HEADER, ...ROWS, ',,,,', 'Total,40,,,', 'Made by hand,,,,']);
    expect(spread.notices).toMatch(/3 lines from line 42 on after the table/);
    expect(spread.values).toEqual(FIELDS);
  });

  it('also where it is read in spans', async () => {
    const lines = [HEADER, ...ROWS, '', 'Total reviews: 40', ''];
    const file = put(newFolder(), 'reviews.csv', lines.join('\n'));
    const [source] = await openSources(file, { chunkBytes: 64 });
    if (source === undefined) throw new Error('expected a source');
    const found: unknown[] = [];
    for await (const { span } of planSpans(source, { bytesFrom: () => 500 })) {
      for await (const chunk of source.chunks(undefined, span)) {
        found.push(...parseChunk(chunk).map(({ value }) => value));
      }
    }
    expect(found).toEqual(FIELDS);
  });

  it.each<[string, readonly string[]]>([
    ['after a blank line', ['', 'name,count', '5 stars,10', '4 stars,12']],
    ['with fewer columns', ['label,total', 'five,10', 'four,12', 'three,9']],
  ])('up to a second table %s', async (_, second) => {
    const { values, notices, invalid } = await read([HEADER, ...ROWS, ...second]);
    expect({ values, invalid }).toEqual({ values: FIELDS, invalid: 0 });
    expect(notices).toMatch(/second table/);
  });

  it('but not without damaged records at its end', async () => {
    const halves = await read([HEADER, ...ROWS, '2140,Ana,Cold', 'and loud,3,2023-12-27']);
    expect(halves).toMatchObject({ invalid: 2, notices: '' });
    const cut = await read([HEADER, ...ROWS, '', '2140,Ana,Co']);
    expect(cut.invalid).toBe(1);
  });
});

describe('no record is silently lost or moved', () => {
  const six = [0, 1, 2, 3, 4, 5];
  const counted = FIELDS.map(
    ([id = '', , text = ''], row) => `${line([id, text])},2024-01-1${row % 10},5`,
  );
  it.each<[string, string, readonly string[]]>([
    ['a text with the delimiter', 'id,text,rating', ['40,good, but slow,4', '41,bad, and dirty,1']],
    ['decimal commas', 'id,text,score', six.map((id) => `${id + 1},Very good,${id % 5},5`)],
    ['a name too few, the first of which is the counter', 'id,text,date', counted],
    ['texts with a comma and a blank', 'id, text', ['x,good, nice', 'y,bad, poor']],
  ])('with %s: the records are invalid', async (_, header, rows) => {
    const { columns, invalid } = await read([header, ...rows]);
    expect({ columns, invalid }).toEqual({ columns: header.split(/, ?/), invalid: rows.length });
  });

  const rated = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${at},good,4`);
  const undated = [
    'b,good,5,2024-01-02',
    'c,fine,4,2024-01-03',
    'd,poor,1,2024-01-04',
    'e,well,3,2024-01-05',
  ];
  const DATED = 'id,text,rating,date';
  const RATED = 'id,text,rating';
  it.each<[string, string, readonly string[], number?]>([
    ['a first one without rating and date', DATED, ['a,bad place,not rated,unknown', ...undated]],
    [
      'last ones that differ',
      RATED,
      [...rated(30), 'a1,very good,unrated', 'a2,good,5', 'a3,bad,1'],
    ],
    ['columns that count', '0,1,2', ['7,good,5', '8,bad,4']],
  ])('such as %s', async (_, header, rows, count = rows.length) => {
    const { values, invalid } = await read([header, ...rows]);
    expect({ records: values.length, invalid }).toEqual({ records: count, invalid: 0 });
  });
});

describe('the header is the header', () => {
  it('where it lacks the name of the first column, with a question', async () => {
    const { columns, values, notices } = await read([line(NAMES.slice(1)), ...ROWS]);
    expect({ columns, values }).toEqual({ columns: ['', ...NAMES.slice(1)], values: FIELDS });
    expect(notices).toMatch(/one column fewer than the records/);
    const runs = [...'abcdef'].map((name) => `"Run ${name}";3;"OPTIMAL"`);
    const results = await read(['"x";"y"', ...runs]);
    expect(results).toMatchObject({ columns: ['', 'x', 'y'], invalid: 0 });
  });

  it('where its last columns are missing in the rows, or rows end in a delimiter', async () => {
    const longer = await read([`${HEADER},Approve,Reject`, ...ROWS]);
    expect(longer.columns).toEqual([...NAMES, 'Approve', 'Reject']);
    expect(longer.values).toEqual(FIELDS.map((row) => [...row, '', '']));
    expect(longer.notices).toMatch(/last 2 columns of the header \(Approve, Reject\)/);
    const trailing = await read([HEADER, ...ROWS.map((row) => `${row},`)]);
    expect(trailing.columns).toEqual([...NAMES, '']);
    expect(trailing.invalid).toBe(0);
    expect(trailing.notices).toMatch(/rows end in 1 empty column that the header lacks/);
  });

  it.each([
    ['a delimiter too many', HEADER.replace('author,', 'author,,')],
    ['one too many at its start', `,${HEADER}`],
    ['one too few beside a quoted name', HEADER.replace('review,stars', '"review"stars')],
  ])('where it has %s, which is said', async (_, header) => {
    const { columns, values, notices, source } = await read([header, ...ROWS]);
    expect({ columns, values }).toEqual({ columns: NAMES, values: FIELDS });
    expect(notices).toMatch(/one delimiter too many/);
    const again = await read([header, ...ROWS], source.reading?.options);
    expect(again).toMatchObject({ columns: NAMES, values: FIELDS });
  });

  it('where a title above it has as many words', async () => {
    for (const [above, header] of [
      [['Reviews of our guests 2023'], HEADER],
      [['Reviews of our guests 2023', '01/05/2023 - 31/05/2023'], HEADER],
      [['Reviews of our guests 2023', '12'], HEADER],
      [['Reviews of our guests 2023'], 'id,author,review,2023,0-10'],
      [['Reviews of our guests 2023'], 'id,author,review,stars 2023,date'],
      [['Export; 40 reviews; Hotel Inn; 2023; all'], HEADER],
    ] as const) {
      const { columns, values, notices } = await read([...above, header, ...ROWS]);
      expect({ columns, values }).toEqual({ columns: header.split(','), values: FIELDS });
      expect(notices).toMatch(/^\S+: skipped .* before the table \("[^"]*"\)\.$/);
    }
  });

  it('unless words in the first line may be names or a title, which is asked', async () => {
    const title = await read(['Reviews of our guests 2023', ...ROWS]);
    expect(title).toMatchObject({ columns: ['1', '2', '3', '4', '5'], values: FIELDS });
    expect(title.notices).toMatch(
      /line 1 is taken for a title, but may be the header.*Reviews = "2100".*1 = "2100".*Set skipLines: 1 and header: false/,
    );
    const names = await read([NAMES.join(' '), ...ROWS]);
    expect(names.notices).toMatch(/read separately: id, author, review, stars, date/);
    expect(names.source.reading?.questions).toEqual([
      expect.stringMatching(/line 1 is taken for the header, but may be a title/),
    ]);
    for (const stated of [
      { skipLines: 1, header: false },
      { skipLines: 1, header: NAMES },
    ] as const) {
      const answered = await read([NAMES.join(' '), ...ROWS], stated);
      expect(answered).toMatchObject({ values: FIELDS, notices: '' });
    }
  });

  it('with a delimiter of its own also above a record without a rating, or words alone', async () => {
    const rows = FIELDS.map((row) => line(row, ';'));
    const unrated = await read([HEADER, '2099;Ana;Fine;unrated;2023-01-10', ...rows]);
    expect(unrated).toMatchObject({ columns: NAMES, invalid: 0 });
    const words = ['Ann;Quiet;Rome;IT', 'Bob;Loud;Bonn;DE', 'Cid;Fine;Graz;AT', 'Dan;Poor;Nice;FR'];
    const { columns, notices } = await read(['name,text,city,country', ...words], {
      delimiter: ';',
    });
    expect(columns).toEqual(['name', 'text', 'city', 'country']);
    expect(notices).toMatch(/name = "Ann".*as a title, it is Ann = "Bob".*Set skipLines: 1 if/);
  });

  it('where an empty name is that of a column and rows lack the last, which is asked', async () => {
    for (const [header, prefix] of [
      [',id,text,stars,reply', (row: number) => `${row},q${row * 7}`],
      ['id,,text,stars,reply', (row: number) => `q${row * 7},${row % 2 ? 'flag' : ''}`],
      ['a,b,,stars,reply', (row: number) => `x${row},y`],
    ] as const) {
      const rows = FIELDS.map(
        ([, , text = '', stars], row) => `${prefix(row)},"${text.replaceAll('"', '')}",${stars}`,
      );
      const { columns, values, notices, source } = await read([header, ...rows]);
      expect(columns).toEqual(header.split(','));
      expect(values).toMatchObject(FIELDS.map((fields) => ({ 3: fields[3], 4: '' })));
      expect(source.reading?.questions).toEqual([
        expect.stringMatching(/Without the empty name.*stars = "Cold.*with it.*stars = "1"/),
      ]);
      expect(notices).toMatch(/lack the last column of the header \(reply\)/);
      const padded = await read([header, ...rows], { ragged: 'pad' });
      expect(padded).toMatchObject({ columns, values, notices: '' });
      const whole = header.split(',').filter(Boolean);
      const dropped = await read([header, ...rows], { skipLines: 1, header: whole });
      expect(dropped).toMatchObject({ columns: whole, invalid: 0, notices: '' });
    }
  });

  it('and is missing only where the first line is like the others, which is said', async () => {
    const { columns, header, values, notices } = await read(ROWS);
    expect({ columns, header }).toEqual({ columns: ['1', '2', '3', '4', '5'], header: 'none' });
    expect(values).toEqual(FIELDS);
    expect(notices).toMatch(/first line looks like a record/);
    const stated = await read(ROWS, { header: true });
    expect(stated).toMatchObject({ columns: FIELDS[0], notices: '' });
  });
});

describe('uneven rows are invalid, with one diagnosis', () => {
  it.each<[string, readonly string[], RegExp]>([
    [
      'that lack their last field',
      FIELDS.map((row, at) => line(row.slice(0, at % 3 === 0 ? 4 : 5))),
      /14 of 40 records lack their last fields and are invalid.*ragged: pad/,
    ],
    [
      'whose header lacks a name',
      FIELDS.map((row) => line(['x', ...row])),
      /40 of 40 records have 6 fields where the header has 5 names.*under header/,
    ],
    [
      'whose texts are not quoted',
      FIELDS.map((row) => row.join(',')),
      /27 of 40 records have too many fields.*aren't quoted/,
    ],
  ])('%s', async (_, rows, notice) => {
    const { columns, notices, invalid } = await read([HEADER, ...rows]);
    expect(columns).toEqual(NAMES);
    expect(invalid).toBeGreaterThan(9);
    expect(notices).toMatch(notice);
  });
});

it('rows in quotes as a whole are refused with a cure', async () => {
  const rows = ROWS.map((row) => `"${row.replaceAll('"', '""')}"`);
  const lines = Buffer.from([HEADER, ...rows].join('\n'));
  await expect(openSources(inPieces(lines, 99))).rejects.toThrow(
    /quotes around each whole row.*divide/,
  );
});

it('columns of a fixed width are refused with a cure', async () => {
  const widths = [6, 10, 50, 6, 10];
  const rows = [NAMES, ...FIELDS].map((row) =>
    row
      .map((field, at) => field.padEnd(widths[at] ?? 0))
      .join('')
      .trimEnd(),
  );
  await expect(openSources(inPieces(Buffer.from(rows.join('\n')), 99))).rejects.toThrow(
    /fixed-width columns/,
  );
});

describe('the options that a guess writes', () => {
  it('read the table that was found', async () => {
    const lines = [
      'Cleaning,,Service,',
      'Score,Date,Score,Date',
      'a score,a date,a score,a date',
      ...Array.from({ length: 12 }, (_, at) => `${1 + (at % 5)},2024-01-1${at % 10},4,2024-02-02`),
    ];
    const found = await read(lines);
    expect(found.columns).toContain('Service Score');
    const again = await read(lines, found.source.reading?.options);
    expect({ columns: again.columns, values: again.values }).toEqual({
      columns: found.columns,
      values: found.values,
    });
  });
});

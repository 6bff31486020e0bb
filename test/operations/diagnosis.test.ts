import { describe, expect, it } from 'vitest';
import { type Report, reportHtml, validateDocuments } from '../../src/index.js';
import { reportText } from '../../src/report/report-text.js';
import { newFolder, put } from '../helpers/files.js';

const RECORDS = 40;

/** A record of an export. */
type Row = Readonly<Record<string, string>>;

const numbers = Array.from({ length: RECORDS }, (_, index) => index + 1);
const two = (number: number): string => String(number).padStart(2, '0');

const GOOD = (n: number): Row => ({
  id: `r-${n}`,
  text: `The room was clean, number ${n}`,
  stars: String(1 + (n % 5)),
  when: `${two(1 + (n % 28))}/${two(1 + (n % 12))}/2024 10:${two(n)}`,
  language: 'English',
  link: `https://reviews.example.com/${n}`,
});

const MAPPING = `name: Reviews
profile: complete
document:
  sourceId: "{id}"
  text: "{text}"
  language: { from: language, values: { English: en } }
  sentiment: { from: stars, number: ".", bands: { B: 4, N: 3, R: 0 } }
  published: { from: when, date: dd/MM/yyyy HH:mm }
  url: "{link}"
  metrics:
    score: { from: stars, number: ".", scale: { from: [1, 5], to: [1, 5] } }
  author: { sourceId: "{id}", username: "{id}" }
`;

/** Validates a file of records made from the good ones, with some edits of the mapping. */
async function validate(
  change: (row: Row, n: number) => Row,
  edits: readonly (readonly [string | RegExp, string])[] = [],
): Promise<Report> {
  const folder = newFolder();
  const rows = numbers.map((n) => change(GOOD(n), n));
  const header = Object.keys(rows[0] as Row);
  const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
  const text = lines.map((cells) => cells.map((cell) => `"${cell}"`).join(','));
  const input = put(folder, 'reviews.csv', `${text.join('\n')}\n`);
  const written = edits.reduce((one, [from, to]) => one.replace(from, to), MAPPING);
  const mapping = put(folder, 'm.yaml', written);
  return await validateDocuments({ input, mapping, throwOn: 'never' });
}

type Case = readonly [what: string, ...given: Parameters<typeof validate>];

/** The cause that explains it, in the words of every report. */
const CASES: readonly (readonly [...Case, message: string, remedy: string | null])[] = [
  [
    'dates in ISO 8601',
    (row, n) => ({ ...row, when: `2024-05-${two(1 + (n % 28))}` }),
    [],
    'All 40 values of when are ISO 8601',
    'use `date: iso` (mapping line 8)',
  ],
  [
    'dates with the month first',
    (row, n) => ({ ...row, when: `${1 + (n % 12)}/${13 + (n % 15)}/2024` }),
    [],
    'All 40 values of when are written as M/d/yyyy',
    'use `date: "M/d/yyyy"` (mapping line 8)',
  ],
  [
    'dates in German',
    (row, n) => ({ ...row, when: `${1 + (n % 28)}. März 2024` }),
    [],
    'All 40 values of when are written as d. MMM yyyy',
    'use `date: "d. MMM yyyy", locale: de` (mapping line 8)',
  ],
  [
    'the other decimal mark',
    (row, n) => ({ ...row, stars: `${1 + (n % 4)},5` }),
    [],
    'All 40 values of stars are numbers with the decimal mark ","',
    'use `number: ","` (mapping lines 7, 11)',
  ],
  [
    'another scale',
    (row, n) => ({ ...row, stars: `${6 + 2 * (n % 45)}` }),
    [],
    'All 40 values of stars fit a scale from 0 to 100',
    'use `scale: { from: [0, 100], to: [1, 5] }` if the scale goes from 0 to 100 (these values only to 86) (mapping line 11)',
  ],
  [
    'an empty column',
    (row) => ({ ...row, id: '' }),
    [],
    'id is empty in every record',
    'map another column, or give the rule an `else` (mapping lines 4, 12)',
  ],
  [
    'values that the mapping lacks',
    (row, n) => ({ ...row, language: n % 2 ? 'Deutsch' : 'Français' }),
    [],
    '`values` has no entry for the value of language, so language is missing',
    'add them to `values`, or give it an `else` (mapping line 6)',
  ],
  [
    'a required field without a rule',
    (row) => row,
    [['  url: "{link}"\n', '']],
    'No rule gives url',
    'map it, or use the minimal profile if the export does not have it',
  ],
];

describe('a mapping that fails for every record', () => {
  it.each(CASES)('because of %s is diagnosed', async (_, change, edits, message, remedy) => {
    const report = await validate(change, edits);
    expect(report.diagnosis).toBe('Nothing can be imported: one rule fails for every record.');
    expect(report.causes).toMatchObject([
      {
        message,
        remedy,
        records: RECORDS,
        cures: RECORDS,
        places: [{ record: 1, line: 2 }, ...Array(24).fill({})],
      },
    ]);
    const text = reportText(report);
    expect(text).toContain(`✗ 40 records: ${message}`);
    if (remedy !== null) expect(text).toContain(`  Fix (+40 records): ${remedy}\n`);
    const page = await reportHtml(report);
    expect(page).toContain('Nothing can be imported: one rule fails for every record.');
  });

  it.each(CASES.filter(([, , , , remedy]) => /^(?:use|add) `/.test(remedy ?? '')))(
    'because of %s is cured by the edit',
    async (_, change, edits, __, remedy) => {
      const [, keys = ''] = /`([^`]+)`/.exec(remedy ?? '') ?? [];
      const [key = ''] = keys.split(':');
      const old = new RegExp(String.raw`${key}: (?:\{[^}]*\}|\S[^,}]*[^,} ])`, 'g');
      const report = await validate(change, [...(edits ?? []), [old, keys]]);
      expect(report.causes).toEqual([]);
    },
  );

  const SKIPPED = `${MAPPING}skip: [{ from: text, blank: true }]\n`;

  it.each([
    ['no column fits', '{"a":1}', MAPPING, 'none of its 6 columns are here.'],
    ['only the id fits', '{"id":"x"}', SKIPPED, 'only 1 of its 6 columns is here.'],
  ])('because it is for other objects is diagnosed: %s', async (_, line, text, facts) => {
    const folder = newFolder();
    const input = put(folder, 'r.jsonl', `${line}\n`.repeat(20));
    const mapping = put(folder, 'm.yaml', text);
    const report = await validateDocuments({ input, mapping, throwOn: 'never' });
    expect(report.diagnosis).toBe(
      `${mapping} was written for another export: ${facts} \`docferry guess ${input} -o mapping.yaml\` makes a mapping for it.`,
    );
    expect(reportText(report)).toMatch(/^! /);
  });
});

describe('values that can be read in several ways', () => {
  it.each<readonly [string, Parameters<typeof validate>[0], string, string]>([
    [
      'day or month first',
      (row) => ({ ...row, when: '03/04/2024' }),
      'All 40 values of when are written as d/M/yyyy or M/d/yyyy',
      'use `date: "d/M/yyyy"` if the day comes first, or `date: "M/d/yyyy"` if the month comes first (mapping line 8)',
    ],
    [
      'a decimal mark or a separator of thousands',
      (row) => ({ ...row, stars: '1.234 points' }),
      'All 40 values of stars are texts with a number',
      'use `match: "-?\\\\d+(?:[.,]\\\\d+)?", number: "."` if "." is the decimal mark, or `match: "-?\\\\d+(?:[.,]\\\\d+)?", number: ","` if "," is the decimal mark (mapping lines 7, 11)',
    ],
    [
      'a scale to 5 or to 10',
      (row) => ({ ...row, stars: '0' }),
      'All 40 values of stars fit a scale from 0 to 5 or from 0 to 10',
      'use `scale: { from: [0, 5], to: [1, 5] }` if the scale goes from 0 to 5 (these values only to 0), or `scale: { from: [0, 10], to: [1, 5] }` if the scale goes from 0 to 10 (these values only to 0) (mapping line 11)',
    ],
  ])('(%s) get an edit for each', async (_, change, message, remedy) => {
    const report = await validate(change);
    expect(report.causes.find(({ remedy: one }) => one !== null)).toMatchObject({
      message,
      remedy,
    });
  });
});

describe('an edit that could go wrong unseen', () => {
  it.each(['1.2K', '2 of 10 people gave 5', '$1,234.50'])(
    'is not offered for numbers like %s',
    async (stars) => {
      const report = await validate((row) => ({ ...row, stars }));
      expect(report.causes[0]?.remedy).toBe('map another column (mapping lines 7, 11)');
    },
  );

  it('replaces a format with the other order of day and month', async () => {
    const report = await validate(
      (row, n) => ({ ...row, when: `${1 + (n % 28)}/02/2024` }),
      [['date: dd/MM/yyyy HH:mm', 'date: MM/dd/yyyy']],
    );
    expect(report.causes[0]?.remedy).toBe(
      'use `date: "d/M/yyyy"` if the day comes first in every record; the dates that the rule reads now then have day and month swapped (mapping line 8)',
    );
  });

  it.each([
    ['d MMMM yyyy', '12 novembre 2018', 'date: ["MMMM d, yyyy", d MMMM yyyy], locale: [en, fr]'],
    ['MMMM d, yyyy', 'novembre 12, 2018', 'date: "MMMM d, yyyy", locale: [en, fr]'],
  ])('reads months in a second language besides the first: %s', async (_, when, edit) => {
    const report = await validate(
      (row, n) => ({ ...row, when: n === 7 ? when : `August ${1 + (n % 28)}, 2018` }),
      [['date: dd/MM/yyyy HH:mm', 'date: "MMMM d, yyyy"']],
    );
    expect(report.causes.map(({ remedy }) => remedy)).toEqual([`use \`${edit}\` (mapping line 8)`]);
  });
});

describe('valid records', () => {
  const edits = [['profile: complete', 'profile: minimal']] as const;
  const ofObjects = async (
    leave: readonly string[],
    more: readonly (readonly [string, string])[] = [],
  ): Promise<Report> => {
    const folder = newFolder();
    const rows = numbers.map((n) => {
      const { link: _, ...row } = GOOD(n);
      return Object.fromEntries(Object.entries(row).filter(([name]) => !leave.includes(name)));
    });
    const input = put(folder, 'r.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const written = [...edits, ...more].reduce((one, [from, to]) => one.replace(from, to), MAPPING);
    return await validateDocuments({ input, mapping: put(folder, 'm.yaml', written) });
  };

  it('are no good news if no record has what the score is read from', async () => {
    const report = await ofObjects(['stars']);
    expect(report.counts).toMatchObject({ read: RECORDS, invalid: 0 });
    expect(report.diagnosis).toBe(
      "No record has stars, so sentiment and metrics.score can't be read (mapping lines 7, 11). An import of this file stops unless --accept-drift is given.",
    );
    expect(reportText(report)).toMatch(/^! No record has stars/);
  });

  it('may lack a column that the rule has a fallback for', async () => {
    const fallback = ['language: { from: language,', 'language: { from: lang, else: en,'] as const;
    const report = await ofObjects([], [fallback]);
    expect(report.coverage?.languages).toEqual([{ value: 'en', count: RECORDS }]);
    expect(report.diagnosis).toBeNull();
  });

  it('are no good news if their dates count back from an unknown day', async () => {
    const folder = newFolder();
    const rows = numbers.map((n) => `${JSON.stringify({ ...GOOD(n), when: '3 days ago' })}\n`);
    const relative = ['date: dd/MM/yyyy HH:mm', 'date: relative, asOf: if-stated'] as const;
    const written = [...edits, relative].reduce(
      (one, [from, to]) => one.replace(from, to),
      MAPPING,
    );
    const run = {
      input: put(folder, 'r.jsonl', rows.join('')),
      mapping: put(folder, 'm.yaml', written),
    };
    expect((await validateDocuments(run)).diagnosis).toMatch(
      /^Documents whose date is relative have none, .*--as-of\.$/,
    );
    expect((await validateDocuments({ ...run, asOf: '2024-05-31' })).diagnosis).toBeNull();
  });
});

describe('dates in the future', () => {
  const next = new Date().getUTCFullYear() + 1;
  const late = (number: number) =>
    validate((row, n) =>
      n <= number ? { ...row, when: row['when']?.replace('2024', `${next}`) ?? '' } : row,
    );

  it('are a cause, although their documents are valid', async () => {
    const report = await late(2);
    expect(report).toMatchObject({
      exitCode: 0,
      diagnosis: null,
      causes: [
        {
          kind: 'future-date',
          remedy:
            'check the order of day and month before the import, as an imported document cannot be changed (mapping line 8)',
          records: 2,
          places: [
            { record: 1, value: expect.stringContaining(`${next}`) },
            { record: 2, value: expect.stringContaining(`${next}`) },
          ],
        },
      ],
    });
    expect(reportText(report)).toMatch(/^! Finished: /);
    expect(await reportHtml(report)).toContain('class="verdict mixed"');
  });

  it('are no cause if they are of tomorrow', async () => {
    const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
    const when = tomorrow.replace(/^(....)-(..)-(..)T(.....).*$/, '$3/$2/$1 $4');
    const report = await validate((row) => ({ ...row, when }));
    expect(report).toMatchObject({ causes: [], coverage: { published: { inFuture: 40 } } });
  });
});

describe('causes', () => {
  it('group the problems of a column over fields, and come in the order of what they cure', async () => {
    const report = await validate((row, n) => {
      if (n % 4 === 0) return { ...row, stars: 'n/a' };
      return n % 10 === 1 ? { ...row, when: 'soon', language: 'Klingon' } : row;
    });
    expect(report.diagnosis).toBeNull();
    expect(reportText(report)).toContain(`
✗ 10 records: stars isn't a number with the decimal mark "." → metrics.score, sentiment
  "n/a" ×10; first lines 5, 9, 13
  Fix (+10 records): \`nulls: ["n/a"]\` under \`input\` makes them empty in every column; a required field then needs an \`else\` (mapping lines 7, 11)
✗ 4 records: \`values\` has no entry for the value of language, so language is missing → language
  "Klingon" ×4; first lines 2, 12, 22
  Fix: add them to \`values\`, or give it an \`else\` (mapping line 6)
✗ 4 records: when isn't a valid date like dd/MM/yyyy HH:mm → published
  "soon" ×4; first lines 2, 12, 22
  Fix: correct the values, or give the rule \`onError: else\`, and as \`else\` the value to use instead (mapping line 8)
`);
    // The groups by kind are a promise of the report.
    expect(report.problems.map(({ kind, count }) => [kind, count])).toEqual([
      ['unreadable-number', 20],
      ['missing-field', 4],
      ['unreadable-date', 4],
    ]);
  });

  it('name each value with its line, as the most frequent ones need not come first', async () => {
    const report = await validate((row, n) =>
      n % 7 === 0 ? { ...row, when: n === 7 ? 'soon' : 'later' } : row,
    );
    expect(reportText(report)).toContain(
      '\n  "later" ×4, "soon"; first lines 8 ("soon"), 15 ("later"), 22 ("later")\n',
    );
    const single = await validate((row, n) => (n % 7 === 0 ? { ...row, when: `soon ${n}` } : row));
    expect(reportText(single)).toContain(
      '\n  first lines 8 ("soon 7"), 15 ("soon 14"), 22 ("soon 21")\n',
    );
  });

  it('tell what to do about a repeated id', async () => {
    const report = await validate((row, n) => (n === 2 ? { ...row, id: 'r-1' } : row));
    expect(report.causes).toMatchObject([
      { kind: 'repeated-id', remedy: expect.stringContaining('duplicates: same-review') },
    ]);
    expect(report.causes[0]?.message).not.toContain('duplicates:');
  });

  it('name what records have in common, and the reason of each with its place', async () => {
    const lines = numbers.map((n) => JSON.stringify(GOOD(n)));
    for (const [n, broken] of [
      [5, '{"id": "a"'],
      [9, '{"id": nope}'],
      [12, '{"id": "b",}'],
    ] as const) {
      lines[n - 1] = broken;
    }
    const input = put(newFolder(), 'reviews.jsonl', `${lines.join('\n')}\n`);
    const mapping = put(newFolder(), 'm.yaml', MAPPING);
    const report = await validateDocuments({ input, mapping, throwOn: 'never' });
    expect(reportText(report)).toContain(
      '✗ 3 records: not valid JSON\n  lines 5, 9, 12\n  Fix (+3 records): fix or remove them\n',
    );
    const page = (await reportHtml(report)).replaceAll(/<[^>]+>/g, '');
    expect(page).toMatch(
      /line 9: is not valid JSON: .{1,99}on line 9, column \d+; fix or remove it/,
    );
    expect(page).toMatch(
      /line 12: is not valid JSON: it has a comma before the closing }, on line 12/,
    );
  });

  it('add a format to those that read the other values', async () => {
    const report = await validate((row, n) => (n === 7 ? { ...row, when: '2024-05-01' } : row));
    expect(report.causes).toMatchObject([
      {
        message: 'when has another form in some records: these values are ISO 8601',
        remedy: 'use `date: ["dd/MM/yyyy HH:mm", iso]` (mapping line 8)',
        columns: ['when'],
        values: [{ value: '2024-05-01', count: 1 }],
        mappingLines: [8],
      },
    ]);
  });
});

import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/model/terminal.js';
import { reportText } from '../../src/report/report-text.js';
import { causeWith, countsWith, NO_COVERAGE, reportWith } from './fixtures.js';

const firstLine = (report: Parameters<typeof reportText>[0]) => reportText(report).split('\n')[0];

describe('the first line', () => {
  it('says that all went well', () => {
    expect(firstLine(reportWith())).toBe(
      '✓ Finished: all 1,326 reviews imported into monitoring 7.',
    );
  });

  it('of a validate says that nothing was sent', () => {
    const counts = countsWith({ read: 2, unsent: 1, invalid: 1 });
    expect(firstLine(reportWith({ command: 'validate', exitCode: 1, target: null, counts }))).toBe(
      '! Finished: 1 of 2 reviews valid, 1 needs a look. Nothing was sent.',
    );
  });

  it('says why it stopped, the next what to do', () => {
    const lines = reportText(
      reportWith({
        status: 'stopped',
        exitCode: 4,
        stop: { kind: 'output', message: 'report.json: no space is left' },
        counts: countsWith({ read: 5, unsent: 5 }),
      }),
    ).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '✗ Stopped early: report.json: no space is left.',
      '  Free disk space, or write the file elsewhere.',
      '  0 of 5 reviews imported into monitoring 7; 5 not sent.',
    ]);
  });

  it('of a nightly export says that most of it was there before', () => {
    const counts = countsWith({ read: 253, accepted: 3, duplicate: 250 });
    expect(firstLine(reportWith({ counts }))).toBe(
      '✓ Finished: 3 of 253 reviews imported into monitoring 7; 250 repeated or imported before.',
    );
  });

  it('says so when nothing was read', () => {
    expect(firstLine(reportWith({ counts: countsWith() }))).toBe('! No record was read.');
  });
});

describe('remarks', () => {
  const skips = [
    { condition: 'Status is "deleted"', records: 1_100, mappingLine: 9 },
    { condition: 'Comment is blank', records: 104, mappingLine: 10 },
  ];
  const skipped = countsWith({ read: 10_000, accepted: 8_796, skipped: 1_204 });

  it('name the conditions that skip records', () => {
    expect(reportText(reportWith({ counts: skipped, skips }))).toContain(
      'Skipped 1,204 records: Status is "deleted" (1,100), Comment is blank (104)\n',
    );
    expect(reportText(reportWith({ counts: skipped, skips: skips.slice(0, 1) }))).toContain(
      'Skipped 1,204 records: Status is "deleted"\n',
    );
    const many = Array.from({ length: 7 }, (_, at) => {
      return { condition: `x is "${at}"`, records: 1, mappingLine: null };
    });
    expect(reportText(reportWith({ counts: skipped, skips: many }))).toMatch(
      /: x is "0" \(1\), .*x is "4" \(1\), 2 more reasons\n/,
    );
  });

  const rejects = (read: number, invalid: number, rejected = 0) => ({
    counts: countsWith({ read, invalid, rejected, accepted: read - invalid - rejected }),
  });
  const before = { run: 'r1', started: '2026-06-03T12:00:00.000Z' };

  it('compare the rejects with those of the run before, if there are more', () => {
    const report = reportWith({
      ...rejects(200, 10, 8),
      earlier: { ...before, ...rejects(1000, 20) },
    });
    expect(reportText(report)).toContain(
      'rejected 0% → 4%, invalid 2% → 5% since the run of 3 June 2026\n',
    );
  });

  it('name the fields that fewer documents have than in the run before', () => {
    const earlier = {
      ...before,
      ...rejects(100, 0),
      fills: { documents: 100, fields: { url: 100, text: 100 } },
    };
    const fields = [{ field: 'text', filled: 96, constant: null }];
    const coverage = { ...NO_COVERAGE, documents: 100, fields };
    const report = reportWith({ ...rejects(100, 0), earlier, coverage });
    expect(reportText(report)).toContain('\nurl filled 100% → 0% since the run of 3 June 2026\n');
  });

  it.each([
    ['less', rejects(1000, 90)],
    ['about the same', rejects(1000, 18)],
    ['unknown', {}],
  ])('say nothing of rejects if they were %s before', (_, earlier) => {
    const known = 'counts' in earlier ? { ...before, ...earlier } : null;
    const report = reportWith({ ...rejects(1000, 19), earlier: known });
    expect(reportText(report)).not.toMatch(/Rejects|Skipped/);
  });
});

it('shows counts that are not zero, problems with examples, notices, rejects and the run', () => {
  const text = reportText(
    reportWith({
      exitCode: 1,
      counts: countsWith({ read: 1326, accepted: 1022, invalid: 304 }),
      notices: ['reviews.csv: the encoding was guessed'],
      causes: [
        causeWith(),
        causeWith({
          message: 'has 9 fields',
          remedy: null,
          fields: {},
          records: 1,
          values: [{ value: 'n/a', count: 2 }],
          places: [{ source: 'records', record: 1, line: null }],
        }),
      ],
      rejects: [{ file: 'bad.csv', reasons: 'bad.csv.why.jsonl', records: 304 }],
    }),
  );
  expect(text).toBe(`! Finished: 1,022 of 1,326 reviews imported into monitoring 7; 304 need a look.

  read       1,326
  invalid      304  not sent: see the problems
  accepted   1,022  accepted by the service

✗ 304 records: text is empty → text
  first line 30
  Fix (+300 records): give the rule an \`else\` (mapping line 5)
✗ 1 record: has 9 fields
  "n/a" ×2, …; record 1

Note: reviews.csv: the encoding was guessed

To fix and import again: 304 records in bad.csv, the reasons in bad.csv.why.jsonl

reviews.csv: csv, windows-1252, delimiter ";", 465 kB, 1,326 records
Run 20260131-093000-ab12cd with mapping "Hotel guest reviews": 0.4 s, 3,218 records a second, 3 batches, 0 retries
`);
});

it.each([40, 120])('fits a terminal of %i columns, without breaking a word', (width) => {
  const report = reportWith({
    notices: [`reviews.csv: ${'the encoding was guessed from its bytes, '.repeat(5)}`],
    causes: [
      causeWith({
        message:
          'sourceId is "とても良い本ですとても良い本です"; expected a text of at most 10 characters',
        values: [{ value: 'とても良い本ですとても良い本です', count: 9 }],
      }),
    ],
  });
  const colored = reportText(report, { width, color: true });
  const lines = stripVTControlCharacters(colored).split('\n');
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
  expect(colored).toContain('\u001b[1mFinished');
  const words = (text: string) => text.replaceAll(/\s+/g, '');
  expect(words(lines.join(''))).toBe(words(reportText(report)));
  expect(reportText(report, { width, color: false })).toBe(lines.join('\n'));
});

it('prints nothing that acts on a terminal, whatever records, files and the service say', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      '\u001b',
      '[31m',
      '\n',
      '\r',
      '\u009b',
      '\u202e',
      '\u2028',
      '\ud83d',
      'a',
    ),
  });
  const printedWith = (text: string) =>
    reportText(
      reportWith({
        status: 'stopped',
        mapping: text,
        stop: { kind: 'service-down', message: text },
        notices: [text],
        inputs: [{ ...reportWith().inputs[0]!, name: text, delimiter: text }],
        diagnosis: `It is ${text}`,
        causes: [
          causeWith({
            message: text,
            remedy: text,
            fields: { [text]: 1 },
            values: [{ value: text, count: 1 }],
            places: [{ source: text, record: 1, line: 1 }],
          }),
        ],
        rejects: [{ file: text, reasons: text, records: 1 }],
      }),
    ).split('\n');
  fc.assert(
    fc.property(nasty, (text) => {
      const lines = printedWith(text);
      expect(lines.filter((line) => /[\p{Cc}\p{Cs}\u2028\u202e]/u.test(line))).toEqual([]);
      expect(lines.length).toBe(printedWith('plain').length);
    }),
  );
});

import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { reportSummary } from '../../src/report/summary.js';
import { runs } from '../helpers/runs.js';
import { causeWith, countsWith, reportWith, STOPPED } from './fixtures.js';

/** Markdown as GitHub and GitLab show it. */
function htmlOf(markdown: string): string {
  const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };
  return micromark(markdown, options);
}

/** The tags of a page in order, and its texts. */
function partsOf(html: string): { readonly tags: readonly string[]; readonly text: string } {
  const text = html.replaceAll(/<[^>]*>/g, '');
  return {
    tags: [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag),
    text: text.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code, name: keyof typeof NAMED) =>
      code === undefined ? NAMED[name] : String.fromCharCode(Number(code)),
    ),
  };
}

const NAMED = { lt: '<', gt: '>', amp: '&', quot: '"' } as const;

/** A report that has a text from outside wherever one can come from. */
function reportOf(foreign: string): Report {
  const [input] = reportWith().inputs;
  return reportWith({
    ...STOPPED,
    stop: { kind: 'no-access', message: `${foreign}.` },
    mapping: foreign,
    skips: [{ condition: foreign, records: 3, mappingLine: null }],
    inputs: [{ ...(input as Report['inputs'][number]), name: foreign }],
    notices: [foreign],
    rejects: [{ file: foreign, reasons: foreign, records: 304 }],
    causes: [
      causeWith({ message: foreign, remedy: foreign, fields: { [`x${foreign}`]: 304 } }),
      causeWith({ message: foreign, remedy: null, values: [{ value: foreign, count: 1 }] }),
    ],
  });
}

describe('the summary', () => {
  it('says what happened, what became of the records, why, and what is next', () => {
    const counts = countsWith({ read: 1326, accepted: 1000, invalid: 304, skipped: 22 });
    const causes = [causeWith()];
    const problems = [
      { kind: 'missing-field', count: 304, fields: { text: 304 }, examples: [] } as const,
    ];
    const notices = ['r.csv is no UTF-8'];
    expect(reportSummary(reportWith({ exitCode: 1, counts, causes, problems, notices }))).toBe(`\
## ⚠️ Finished: 1,000 of 1,326 reviews imported into monitoring 7; 304 need a look.

**Exit code 1**: It finished, but some records are invalid or rejected.

| | records | |
|---|--:|---|
| skipped | 22 | skipped by the mapping, or a repeated header |
| invalid | 304 | not sent: see the problems |
| accepted | 1,000 | accepted by the service |
| **read** | **1,326** | |

### Problems

**304 records: text is empty → text**

- first line 30
- Fix (+300 records): give the rule an &#96;else&#96; (mapping line 5)

### Notes

- r.csv is no UTF-8

### Run

- reviews.csv: csv, windows-1252, delimiter ";", 465 kB, 1,326 records
- Run 20260131-093000-ab12cd with mapping "Hotel guest reviews": 0.4 s, 3,218 records a second, 3 batches, 0 retries

### Next

To see invalid records and their problems (once fixed, import again; nothing is sent twice):

\`\`\`sh
docferry preview reviews.csv -m hotel.yaml --invalid
\`\`\`
`);
  });

  it('says how to resume a run, whatever comes before that', () => {
    expect(reportSummary(reportWith(STOPPED))).toMatch(
      /^## ❌ Stopped early: the service is down\.\n\n1,000 of .*To send what is left:\n\n```sh\ndocferry runs resume 20260131-093000-ab12cd\n```\n$/s,
    );
    const stop = { kind: 'no-access', message: 'refused' } as const;
    expect(reportSummary(reportWith({ ...STOPPED, stop, exitCode: 3 }))).toMatch(
      /docferry monitorings list\n```\n\nThen, to resume the run:\n\n```sh\ndocferry runs resume /,
    );
  });

  it('shows any text from outside as it is', () => {
    const unit = fc.constantFrom(...'ab1 \n\t\\`*_{}[]()<>&|~$#!@^-+=:./"\'%é\u2028'.split(''));
    fc.assert(fc.property(fc.string({ unit, maxLength: 40 }), showsAsText), {
      numRuns: runs(100),
    });
  });

  it('stays small, however much there is to say', () => {
    const long = reportOf('<'.repeat(10_000));
    const notices = Array.from({ length: 10_000 }, () => '|'.repeat(1_000));
    const text = reportSummary({ ...long, notices });
    expect(text.length).toBeLessThan(200_000);
    expect(text).toContain('- and 9,975 more');
  });
});

const HARMLESS = partsOf(htmlOf(reportSummary(reportOf('x'))));

/** The page has the same elements as with a harmless word there, and the text in them. */
function showsAsText(foreign: string): void {
  const page = partsOf(htmlOf(reportSummary(reportOf(foreign))));
  expect(page.tags).toEqual(HARMLESS.tags);
  const shown = foreign
    .replaceAll(/\s+/gu, ' ')
    .replaceAll('\u001b', '\\u001b')
    .replaceAll('\u202e', '\\u202e');
  expect(page.text).toContain(`Run 20260131-093000-ab12cd with mapping "${shown}"`);
  expect(page.text).toContain(`304 records: ${shown} → x`.replaceAll(/ +/g, ' '));
  expect(page.text).toContain(`Fix (+300 records): ${shown.trimStart()}`.trimEnd());
}

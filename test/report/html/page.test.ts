import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { validateDocuments } from '../../../src/index.js';
import { reportHtml } from '../../../src/report/html/report-html.js';
import type { Report } from '../../../src/report/report.js';
import { newFolder, put } from '../../helpers/files.js';
import { causeWith, countsWith, NO_COVERAGE, reportWith } from '../fixtures.js';

describe('the page of a report', () => {
  it('says what happened first, and what to type next', async () => {
    const page = await reportHtml(
      reportWith({
        counts: countsWith({ read: 1326, accepted: 1022, invalid: 304 }),
        exitCode: 1,
        rejects: [{ file: 'bad rows.csv', reasons: 'bad rows.csv.why.jsonl', records: 304 }],
      }),
    );
    const text = textOf(page);
    expect(text).toContain('Exit code 1. It finished, but some records are invalid or rejected.');
    expect(text).toContain(
      'Finished: 1,022 of 1,326 reviews imported into monitoring 7; 304 need a look.',
    );
    expect(text).toContain('1,326 read = 304 invalid + 1,022 accepted');
    expect(text).toContain("docferry import 'bad rows.csv' -m hotel.yaml --monitoring 7");
  });

  it('answers whether to import after a validation, and how to get at what is invalid', async () => {
    const validated = { command: 'validate', target: null, exitCode: 1 } as const;
    const counts = countsWith({ read: 30, invalid: 2, unsent: 28 });
    const page = textOf(await reportHtml(reportWith({ ...validated, counts })));
    expect(page).toContain(
      'You can import now: 28 documents would be sent, unless imported before, 2 invalid records would not (they are listed below).',
    );
    expect(page).toContain('docferry import reviews.csv -m hotel.yaml --monitoring 1 --sandbox');
    expect(page).toContain(
      'docferry validate reviews.csv -m hotel.yaml --rejects invalid-{run}.csv',
    );
    const none = { ...validated, counts: countsWith({ read: 2, invalid: 2 }) };
    const refused = textOf(await reportHtml(reportWith(none)));
    expect(refused).toContain('An import now would send nothing.');
    expect(refused).not.toContain('docferry import');
    const odd = { ...validated, counts, diagnosis: 'None has a score.' };
    expect(textOf(await reportHtml(reportWith(odd)))).toContain(
      'You can import once the warning above is settled: 28 documents would be sent',
    );
  });

  it('says first whether single records may be quoted', async () => {
    const first = async (changes: Partial<Report>): Promise<string> =>
      textOf(await reportHtml(reportWith(changes))).split('records read')[0] ?? '';
    expect(await first({ causes: [], problems: [] })).toContain('but no records.');
    for (const changes of [{ causes: [causeWith()] }, { diagnosis: 'None has "x".' }])
      expect(await first(changes)).toContain('Values of single records may be quoted below');
  });

  it('quotes nobody if it is asked to, and still says which columns fail', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => [
      ...[n === 3 ? 'qid 2' : `qid ${n}`, n === 5 ? '' : `qtext ${n}`, `qname ${n}`],
      ...[n % 4 ? '2026-01-31' : `qday ${n}`, n % 3 ? '4' : `qrate ${n}`, `qtag ${n}`],
      n === 7 ? 'qstate' : 'ok',
    ]);
    const head = ['id', 'text', 'who', 'day', 'rate', 'tag', 'state'];
    const mapping = `name: Q
profile: minimal
document:
  # TODO: check whether "qtext 1" is a review.
  sourceId: "{id}"
  text: "{text}"
  language: { value: en }
  published: { from: day, date: iso }
  author: { username: "{who}" }
  sentiment: { from: rate, values: { "4": B }, unlisted: invalid }
  metrics: { score: { from: rate, number: "." } }
  tags: ["{tag}", { value: all }]
skip: [{ from: state, in: [qstate] }]
`;
    const folder = newFolder();
    const report = await validateDocuments({
      input: [put(folder, 'r.csv', [head, ...rows].map((row) => row.join(',')).join('\n'))],
      mapping: put(folder, 'm.yaml', mapping),
      throwOn: 'never',
    });
    expect(textOf(await reportHtml(report))).toMatch(/qday.*qrate.*qtag/);
    const page = await reportHtml(report, { quotes: false });
    expect(page).not.toMatch(/q(?:id|text|name|day|rate|tag|state)/);
    const text = textOf(page);
    expect(text).toContain('This page quotes nobody');
    expect(text).toContain('1 question open');
    expect(text).toContain("3 records: day isn't an ISO 8601 date → published Fix (+2 records)");
    expect(text).toContain('rate isn\'t a number with the decimal mark "."');
  });

  it('compares shares with those of the import before, the worst change first', async () => {
    const counts = countsWith({ read: 1000, duplicate: 300, accepted: 700 });
    const before = countsWith({ read: 1000, invalid: 1, accepted: 999 });
    const fills = { documents: 999, fields: { text: 999, 'metrics.score': 999, url: 990 } };
    const earlier = { run: 'r', started: '2026-01-01T10:00:00.000Z', counts: before };
    const fields = ['text', 'url'].map((field) => ({ field, filled: 1000, constant: null }));
    const coverage = { ...NO_COVERAGE, documents: 1000, fields };
    const changed = { earlier: { ...earlier, fills }, counts, coverage };
    const page = textOf(await reportHtml(reportWith(changed)));
    expect(page).toMatch(
      /Compared with the import before \( run r, 1 Jan 2026, 10:00 UTC, 1,000 read \)\./,
    );
    expect(page).toMatch(
      /metrics\.score filled 100% 0% worse duplicate 0% 30% depends on the export accepted 99\.9% 70% depends on the export invalid 0\.1% 0% better/,
    );
    const uncounted = { earlier: { ...earlier, sources: ['a.csv', 'b.csv'] }, counts: before };
    expect(textOf(await reportHtml(reportWith(uncounted)))).toMatch(
      /Compared with the import before \( a\.csv and 1 more, run r, .* Fields are not compared/,
    );
  });

  it('is of a rehearsal after an import into the sandbox, and has the command for the service', async () => {
    const counts = countsWith({ read: 3, invalid: 1, accepted: 2 });
    const target = { baseUrl: 'http://127.0.0.1:4790/5.0', monitoring: 1 };
    const rejects = [{ file: 'bad.csv', reasons: 'bad.csv.why.jsonl', records: 1 }];
    const rehearsed = reportWith({ counts, target, rejects, exitCode: 1 });
    const page = textOf(await reportHtml(rehearsed));
    expect(page).toContain('This was a rehearsal: nothing of it is in the service.');
    expect(page).toMatch(/docferry verify \S+ --sandbox/);
    expect(page).toMatch(/import into the service, .* docferry import \S+ -m \S+ --monitoring 1 /);
    // Rejects that are fixed in the sandbox only would still be invalid in the service.
    expect(page).not.toContain('docferry import bad.csv');
    expect(textOf(await reportHtml(reportWith({ counts, rejects })))).not.toContain('rehearsal');
  });

  it('says who changes the values, and who the mapping instead', async () => {
    const cause = {
      ...{ kind: 'unreadable-date' as const, message: 'when isn’t a valid date', records: 1 },
      remedy: 'correct the value, or add `else: "", onError: else` to the rule',
      fixedIn: ['export', 'mapping'] as const,
      ...{ columns: ['when'], fields: { published: 1 }, cures: 1, values: [], mappingLines: [3] },
      places: [{ source: 'reviews.csv', record: 1, line: 2, value: 'soon' }],
    };
    const page = textOf(await reportHtml(reportWith({ causes: [cause] })));
    expect(page).toMatch(
      /For the provider of the export reviews\.csv ; to change the mapping instead, the owner of the mapping hotel\.yaml/,
    );
  });

  it('names its style by hash, and allows nothing else', async () => {
    const page = await reportHtml(reportWith());
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
    expect(policy).toContain('default-src &#39;none&#39;');
    expect(policy).toContain(hashOf(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''));
    expect(page).not.toMatch(/ style="| on\w+="|https?:\/\/(?!api\.example\.com)/);
  });

  it('shows texts that could end an element as texts', async () => {
    const page = await reportHtml(reportWith({ mapping: '</script><!--<script>&lt;' }));
    expect(page).not.toContain('</script><!--');
    expect(textOf(page)).toContain('&lt;/script&gt;&lt;!--&lt;script&gt;&lt;');
  });

  it('shows drift that was accepted, what was expected beside what was found', async () => {
    const changed = { source: 'a.csv', expected: '1 to 5', found: '1 to 10', message: 'other' };
    const drift = [{ ...changed, kind: 'metric' as const, name: '<b>score' }];
    const page = textOf(await reportHtml(reportWith({ drift })));
    expect(page).toContain('1 difference from what the mapping expects, accepted for this run.');
    expect(page).toMatch(/Range of\s+&lt;b&gt;score 1 to 5 1 to 10/);
    expect(textOf(await reportHtml(reportWith({ drift: [] })))).toContain(
      'The inputs match what the mapping expects.',
    );
    expect(textOf(await reportHtml(reportWith()))).not.toContain('Drift');
  });
});

function textOf(page: string): string {
  const body = page.slice(page.indexOf('<body>')).replaceAll(/<[^>]+>/g, ' ');
  const plain = body.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return plain.replaceAll(/\s+/g, ' ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Reports that no usual run would give. */
import type { Report } from '../../src/report/report.js';

/** What somebody may have put into a file to act on whoever reads about it. */
const TEXTS = [
  '</script><script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '\'"><svg onload=window.hacked=1>',
  '<!--<script>',
  'abc\u202etxt.exe',
  '=HYPERLINK("http://example.com")',
  '&lt;b&gt;&amp;',
  '{{7*7}}',
];

/** The same report with such texts wherever texts come from outside. */
export function hostile(report: Report): Report {
  let next = 0;
  const text = (): string => {
    next += 1;
    return `${TEXTS[next % TEXTS.length]} ${next}`;
  };
  return {
    ...report,
    run: 'hostile',
    mapping: text(),
    inputs: report.inputs.map((input) => ({ ...input, name: text(), delimiter: text() })),
    notices: TEXTS.map(() => text()),
    problems: report.problems.map((group) => ({
      ...group,
      fields: Object.fromEntries(
        Object.values(group.fields).map((count) => [shown(text()), count]),
      ),
      examples: group.examples.map((example) => ({
        ...example,
        source: text(),
        field: text(),
        message: text(),
      })),
    })),
    rejects: [{ file: text(), reasons: text(), records: 3 }],
    unknown: [{ source: text(), from: 1, to: 2 }],
    coverage: report.coverage && {
      ...report.coverage,
      columns: report.coverage.columns.map((column) => ({ ...column, name: text() })),
      fields: report.coverage.fields.map((field) => ({ ...field, constant: text() })),
      metrics: Object.fromEntries(
        Object.values(report.coverage.metrics).map((figures) => [text(), figures]),
      ),
      languages: report.coverage.languages.map((language) => ({ ...language, value: text() })),
      sentiments: report.coverage.sentiments.map((one) => ({ ...one, value: text() })),
    },
  };
}

/** Where a test compares what is shown with what is there, nothing is to be escaped. */
function shown(text: string): string {
  return text.replaceAll('\u202e', '');
}

/** A report of very many inputs and columns. */
export function large(report: Report): Report {
  const [input] = report.inputs;
  const [column] = report.coverage?.columns ?? [];
  if (input === undefined || column === undefined || report.coverage === null) return report;
  const many = Array.from({ length: 10_000 }, (_, index) => `${index} ${'long '.repeat(60)}`);
  return {
    ...report,
    run: 'large',
    inputs: many.map((name) => ({ ...input, name })),
    notices: many,
    coverage: { ...report.coverage, columns: many.map((name) => ({ ...column, name })) },
  };
}

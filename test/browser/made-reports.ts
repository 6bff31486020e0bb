/** Reports that no usual run would give. */
import type { Cause, Report } from '../../src/report/report.js';

/** Kinds of runs that would take a test too long. */
export const KINDS = ['clean', 'decade', 'wide', 'faults'] as const;

/** A report of a kind, from one of a usual run. */
export function made(kind: (typeof KINDS)[number], report: Report): Report {
  return { ...report, run: kind, ...CHANGES[kind](report) };
}

const CHANGES: Readonly<Record<(typeof KINDS)[number], (report: Report) => Partial<Report>>> = {
  clean: ({ counts: { read, skipped, ...counts } }) => ({
    exitCode: 0,
    counts: { read, skipped, ...counts, invalid: 0, duplicate: 0, unsent: read - skipped },
    ...{ causes: [], problems: [] },
  }),
  decade: (report) => {
    const years = Array.from({ length: 11 }, (_, index) => `${2014 + index}-01-01`);
    return publishedIn(report, years, 'year');
  },
  wide: ({ coverage, causes: [cause] }) => {
    const [first] = coverage?.columns ?? [];
    const columns = Array.from({ length: 80 }, (_, index) => {
      return { ...first, name: `Column ${index}`, used: index < 12 };
    });
    return {
      coverage: { ...coverage, columns } as Report['coverage'],
      causes: columns.map(({ name }, index) => {
        return { ...(cause as Cause), message: `${name} is empty`, records: 90 - index };
      }),
    };
  },
  faults: ({ counts, causes, problems, delivery }) => {
    const refused = { message: 'the service refused (400): documents[0].text', fields: {} };
    const place = { source: 'reviews.csv', record: 3, line: 4 };
    const [cause] = causes;
    const sending = (['rejected', 'unknown'] as const).map((kind) => ({ ...refused, kind }));
    return {
      exitCode: 5,
      counts: { ...counts, accepted: counts.accepted - 2, rejected: 1, unknown: 1 },
      ...{ batches: 44, retries: 5, unknown: [{ source: 'reviews.csv', from: 3, to: 3 }] },
      causes: [
        ...causes,
        ...sending.map((one) => ({ ...cause, ...one, columns: [], places: [place] })),
      ] as Report['causes'],
      problems: [
        ...problems,
        ...sending.map(({ kind, message, fields }) => {
          return { kind, count: 1, fields, examples: [{ ...place, field: null, message }] };
        }),
      ],
      delivery: delivery && {
        ...delivery,
        statuses: ['200', '503', '413', 'no answer'].map((value, n) => ({ value, count: 9 - n })),
      },
    };
  },
};

function publishedIn(
  { coverage }: Report,
  firstDays: readonly string[],
  unit: 'day' | 'year',
): Partial<Report> {
  const overTime = firstDays.map((from, n) => {
    return { from, unit, documents: 30 + n, meanScore: 3 + n / 10 };
  });
  const [first = '', last = first] = [firstDays[0], firstDays.at(-1)];
  const published = { first, last, inFuture: 0, years: [] };
  return { coverage: coverage && { ...coverage, published, overTime } };
}

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
    causes: report.causes.map(({ places, ...cause }) => ({
      ...cause,
      message: shown(text()),
      remedy: text(),
      fields: { [text()]: 1 },
      values: [{ value: text(), count: 2 }],
      places: places.map((place) => ({ ...place, source: text(), value: text() })),
    })),
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

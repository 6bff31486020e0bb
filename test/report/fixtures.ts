import type { Coverage } from '../../src/coverage/coverage.js';
import { type Counts, NO_COUNTS } from '../../src/model/record.js';
import type { Cause, Report } from '../../src/report/report.js';

export function countsWith(changes: Partial<Counts> = {}): Counts {
  return { ...NO_COUNTS, ...changes };
}

/** What is otherwise in the report of an import that lost its service. */
export const STOPPED = {
  status: 'stopped',
  stop: { kind: 'service-down', message: 'the service is down' },
  exitCode: 4,
  resumable: true,
  counts: countsWith({ read: 1326, accepted: 1000, unsent: 326 }),
} as const;

/** A finished import in which all went well, with some facts changed. */
export function reportWith(changes: Partial<Report> = {}): Report {
  return {
    command: 'import',
    run: '20260131-093000-ab12cd',
    status: 'finished',
    stop: null,
    exitCode: 0,
    inputs: [
      {
        name: 'reviews.csv',
        format: 'csv',
        encoding: 'windows-1252',
        compression: null,
        delimiter: ';',
        bytes: 464_588,
        records: 1326,
        counts: countsWith({ read: 1326, accepted: 1326 }),
      },
    ],
    mapping: 'Hotel guest reviews',
    mappingFile: 'hotel.yaml',
    target: { baseUrl: 'https://api.example.com/5.0', monitoring: 7 },
    counts: countsWith({ read: 1326, accepted: 1326 }),
    batches: 3,
    retries: 0,
    elapsedMs: 412,
    recordsPerSecond: 3218,
    notices: [],
    diagnosis: null,
    causes: [],
    problems: [],
    drift: null,
    coverage: null,
    delivery: null,
    rejects: [],
    unwritten: [],
    unknown: [],
    remembered: true,
    resumable: false,
    ...changes,
  };
}

export const NO_COVERAGE: Coverage = {
  documents: 0,
  columns: [],
  fields: [],
  metrics: {},
  textLength: null,
  published: null,
  languages: [],
  sentiments: [],
  repeats: { same: 0, other: 0 },
};

/** A cause of problems, with some facts changed. */
export function causeWith(changes: Partial<Cause> = {}): Cause {
  return {
    kind: 'missing-field',
    message: 'text is empty',
    remedy: 'give the rule an `else` (mapping line 5)',
    columns: ['text'],
    fields: { text: 304 },
    records: 304,
    cures: 300,
    values: [],
    mappingLines: [5],
    places: [{ source: 'r.csv', record: 12, line: 30 }],
    ...changes,
  };
}

/** What is the same however long it took, and whichever run it was. */
export function lastingFacts({
  run: _,
  started: _started,
  ended: _ended,
  elapsedMs: _ms,
  recordsPerSecond: _rate,
  delivery: _delivery,
  coverage,
  ...facts
}: Report): Omit<
  Report,
  'run' | 'started' | 'ended' | 'elapsedMs' | 'recordsPerSecond' | 'delivery'
> {
  return { ...facts, coverage: lastingCoverage(coverage) };
}

/** Without when the documents were downloaded, which is when the run began. */
export function lastingCoverage(coverage: Report['coverage']): Report['coverage'] {
  if (coverage === null) return null;
  const fields = coverage.fields.filter(({ field }) => field !== 'downloaded');
  return { ...coverage, fields };
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { ColumnCoverage, Coverage } from '../../src/coverage/coverage.js';
import type { NumberFigures } from '../../src/coverage/number-spread.js';
import type { InputDrift } from '../../src/model/errors.js';
import { type Counts, OUTCOMES, PROBLEM_KINDS } from '../../src/model/record.js';
import type { InputReport } from '../../src/outcomes/events.js';
import { STOP_KINDS, type StopReport } from '../../src/outcomes/stop-conditions.js';
import { type ProblemExample, type ProblemGroup, Tally } from '../../src/outcomes/tally.js';
import type { TimelinePoint } from '../../src/outcomes/timeline.js';
import type { RejectsReport } from '../../src/report/rejects/rejects.js';
import type { DeliveryReport, Report } from '../../src/report/report.js';
import { reportWith } from './fixtures.js';

const root = path.resolve(import.meta.dirname, '../..');

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly $defs?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: unknown;
}

const schema = JSON.parse(
  readFileSync(path.join(root, 'schemas/report.schema.json'), 'utf8'),
) as Node;
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
const errorsOf = (report: unknown) => (validate(report) ? [] : validate.errors);

/** One entry for each key of a type: the type checker sees to that. */
type KeysOf<T> = Readonly<Record<keyof T, true>>;

const TYPES = {
  report: {
    command: true,
    run: true,
    status: true,
    stop: true,
    exitCode: true,
    inputs: true,
    mapping: true,
    target: true,
    counts: true,
    batches: true,
    retries: true,
    elapsedMs: true,
    recordsPerSecond: true,
    notices: true,
    problems: true,
    drift: true,
    coverage: true,
    delivery: true,
    rejects: true,
    unwritten: true,
    unknown: true,
    resumable: true,
  } satisfies KeysOf<Report>,
  stop: { kind: true, message: true } satisfies KeysOf<StopReport>,
  target: { baseUrl: true, monitoring: true } satisfies KeysOf<NonNullable<Report['target']>>,
  input: {
    name: true,
    format: true,
    encoding: true,
    compression: true,
    delimiter: true,
    bytes: true,
    records: true,
    counts: true,
  } satisfies KeysOf<InputReport>,
  counts: {
    read: true,
    skipped: true,
    invalid: true,
    duplicate: true,
    accepted: true,
    rejected: true,
    unknown: true,
    unsent: true,
  } satisfies KeysOf<Counts>,
  problem: { kind: true, count: true, fields: true, examples: true } satisfies KeysOf<ProblemGroup>,
  example: {
    source: true,
    record: true,
    line: true,
    field: true,
    message: true,
  } satisfies KeysOf<ProblemExample>,
  reject: { file: true, reasons: true, records: true } satisfies KeysOf<RejectsReport>,
  coverage: {
    documents: true,
    columns: true,
    fields: true,
    metrics: true,
    textLength: true,
    published: true,
    languages: true,
    sentiments: true,
    repeats: true,
    requests: true,
  } satisfies KeysOf<Coverage>,
  drift: {
    source: true,
    kind: true,
    name: true,
    expected: true,
    found: true,
    message: true,
  } satisfies KeysOf<InputDrift>,
  delivery: { timeline: true, latency: true, statuses: true } satisfies KeysOf<DeliveryReport>,
  point: {
    atMs: true,
    spanMs: true,
    read: true,
    accepted: true,
    requests: true,
    inFlight: true,
  } satisfies KeysOf<TimelinePoint>,
  column: {
    name: true,
    used: true,
    fields: true,
    records: true,
    filled: true,
  } satisfies KeysOf<ColumnCoverage>,
  numbers: {
    count: true,
    least: true,
    most: true,
    mean: true,
    quantiles: true,
    values: true,
    bins: true,
  } satisfies KeysOf<NumberFigures>,
};

const field = (name: string) => schema.properties?.[name];
const NODES: Readonly<Record<keyof typeof TYPES, Node | undefined>> = {
  report: schema,
  stop: field('stop')?.anyOf?.[1],
  target: field('target')?.anyOf?.[1],
  input: field('inputs')?.items,
  counts: schema.$defs?.['counts'],
  problem: field('problems')?.items,
  example: field('problems')?.items?.properties?.['examples']?.items,
  reject: field('rejects')?.items,
  coverage: schema.$defs?.['coverage'],
  drift: field('drift')?.anyOf?.[1]?.items,
  delivery: field('delivery')?.anyOf?.[1],
  point: field('delivery')?.anyOf?.[1]?.properties?.['timeline']?.items,
  column: schema.$defs?.['coverage']?.properties?.['columns']?.items,
  numbers: schema.$defs?.['numbers'],
};

describe('the schema of the report', () => {
  it.each(Object.keys(TYPES) as (keyof typeof TYPES)[])(
    'has exactly the keys of the %s',
    (name) => {
      const keys = Object.keys(TYPES[name]).sort();
      const node = NODES[name];
      expect(Object.keys(node?.properties ?? {}).sort()).toEqual(keys);
      expect([...(node?.required ?? [])].sort()).toEqual(keys);
      expect(node?.additionalProperties).toBe(false);
      const undescribed = keys.filter((key) => !node?.properties?.[key]?.description);
      expect(undescribed).toEqual([]);
    },
  );

  it('names the kinds of problems and of stops that the types and the documentation name', () => {
    const { stop, problems } = schema.properties ?? {};
    expect(stop?.anyOf?.[1]?.properties?.['kind']?.enum).toEqual(STOP_KINDS);
    expect(problems?.items?.properties?.['kind']?.enum).toEqual(PROBLEM_KINDS);
    const page = readFileSync(path.join(root, 'docs/report.md'), 'utf8');
    const named = [...page.matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining([...STOP_KINDS, ...PROBLEM_KINDS]));
    // What the schema doesn't name it refuses.
    const odd = { kind: 'odd', message: 'odd' };
    expect(errorsOf({ ...reportWith({ status: 'stopped' }), stop: odd })).not.toEqual([]);
  });

  it('takes the reports of a success, of a validate and of a stop', () => {
    expect(errorsOf(reportWith())).toEqual([]);
    expect(errorsOf(reportWith({ command: 'validate', target: null }))).toEqual([]);
    const stop = { kind: 'service-down', message: 'it is down' } as const;
    expect(errorsOf(reportWith({ status: 'stopped', stop, exitCode: 4 }))).toEqual([]);
  });

  it('takes what a tally says', () => {
    const tally = new Tally();
    tally.read(0, 9);
    for (const outcome of OUTCOMES) tally.settle(0, outcome);
    for (let record = 1; record < 9; record += 1) {
      const place = { source: 'records', record, line: null };
      tally.problem(place, { kind: 'ragged', field: null, message: 'too long' });
      tally.problem(place, { kind: 'blank', field: `tags[${record}]`, message: 'blank' });
    }
    const report = reportWith({ counts: tally.counts(), problems: tally.problems() });
    expect(errorsOf(report)).toEqual([]);
  });

  it('refuses a report with a field too many or too few', () => {
    const { retries, ...fewer } = reportWith();
    expect(errorsOf(fewer)).toHaveLength(1);
    expect(errorsOf({ ...reportWith(), more: retries })).toHaveLength(1);
  });

  it('takes the example in the documentation', () => {
    const page = readFileSync(path.join(root, 'docs/report.md'), 'utf8');
    const example = /```json\n(\{\n[\s\S]*?)```/.exec(page)?.[1];
    expect(errorsOf(JSON.parse(example ?? ''))).toEqual([]);
  });
});

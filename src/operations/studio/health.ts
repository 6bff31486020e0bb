/** Figures of a mapped sample: outcomes, how far each field is filled, and what makes records invalid. */
import { valueIn } from '../../guess/check-sample.js';
import { fieldKeys, mappingRules } from '../../mapping/rules.js';
import { NO_COUNTS } from '../../model/record.js';
import { Tally } from '../../outcomes/tally.js';
import { explainCauses } from '../diagnosis/explain-causes.js';
import type { MappedOutcome, MappedRecord, MappedSample } from './map-sample.js';

export interface Health extends Readonly<Record<MappedOutcome, number>> {
  /** The sum of the outcomes. */
  readonly sampled: number;
  /** Whether these are all records of the file. */
  readonly whole: boolean;
  /** The mapping's fields in its order. */
  readonly fields: readonly FieldHealth[];
  /** Causes of problems, those whose cure brings most first. */
  readonly problems: readonly SampleProblem[];
}

/** How a field does in the documents of the sample, valid or not. */
export interface FieldHealth {
  /** Dotted name; parts of `tags` count as one field. */
  readonly field: string;
  /** Number of documents with a value. */
  readonly filled: number;
  /** Number of records with a problem in this field. */
  readonly problems: number;
  /** Numbers of the first record with a problem in it, and of the first with a document without it. */
  readonly firstProblem: number | null;
  readonly firstEmpty: number | null;
}

export interface SampleProblem {
  /** One sentence, without a full stop. Identifies the problem in requests for its records. */
  readonly message: string;
  readonly records: number;
}

export async function healthOf(mapped: MappedSample): Promise<Health> {
  const { records, sample } = mapped;
  const counts = { valid: 0, invalid: 0, skipped: 0, duplicate: 0 };
  for (const { outcome } of records) counts[outcome] += 1;
  return {
    ...counts,
    sampled: records.length,
    whole: sample.whole && !mapped.late,
    fields: fieldsOf(mapped).map(({ field, path }) => fieldHealth(field, path, records)),
    problems: (await problemsOf(mapped)).map(({ problem }) => problem),
  };
}

interface Field {
  readonly field: string;
  readonly path: readonly string[];
}

/** Lists the mapping's fields; of lists, the list. */
function fieldsOf({ mapping }: MappedSample): readonly Field[] {
  const paths = mappingRules(mapping).map(({ path }) => fieldKeys(path));
  return [
    ...new Map(paths.map((path) => [path.join('.'), { field: path.join('.'), path }])).values(),
  ];
}

function fieldHealth(
  field: string,
  path: readonly string[],
  records: readonly MappedRecord[],
): FieldHealth {
  let [filled, problems] = [0, 0];
  let firstProblem: number | null = null;
  let firstEmpty: number | null = null;
  for (const { document, problems: found, place } of records) {
    if (document === null) continue;
    if (found.some((one) => isAbout(one.field, field))) {
      problems += 1;
      firstProblem ??= place.record;
    } else if (valueIn(document, path) === undefined) firstEmpty ??= place.record;
    if (valueIn(document, path) !== undefined) filled += 1;
  }
  return { field, filled, problems, firstProblem, firstEmpty };
}

/** Counts, for each field, the documents whose value differs from before. */
export function changedValues(
  before: MappedSample,
  after: MappedSample,
): Readonly<Record<string, number>> {
  const counts = fieldsOf(after).map(({ field, path }) => {
    const [old = [], now = []] = [before, after].map(({ records }) =>
      records.map(({ document }) => document && valueIn(document, path)),
    );
    const changed = now.filter((value, at) => isOther(old[at], value));
    return [field, changed.length] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function isOther(before: unknown, after: unknown): boolean {
  if (before === after) return false;
  const areStated = [before, after].every((value) => value !== undefined && value !== null);
  return areStated && JSON.stringify(before) !== JSON.stringify(after);
}

/** Whether a problem's field is this field or in it. */
export function isAbout(problemField: string | null, field: string): boolean {
  return problemField === field || problemField?.startsWith(`${field}[`) === true;
}

interface ProblemRecords {
  readonly problem: SampleProblem;
  readonly has: (record: MappedRecord) => boolean;
}

/** Groups the problems of a mapped sample by their causes. */
export async function problemsOf(mapped: MappedSample): Promise<readonly ProblemRecords[]> {
  const { records, mapping, absent, sample } = mapped;
  const tally = new Tally();
  const counts = { ...NO_COUNTS, read: records.length };
  for (const { place, problems, outcome } of records) {
    tally.addProblems(place, problems);
    if (outcome === 'skipped') counts.skipped += 1;
    if (outcome === 'invalid') counts.invalid += 1;
  }
  const inputs = [{ name: sample.source.name }];
  const run = { command: 'validate' as const, counts, mapping, absent, inputs };
  const causes = await explainCauses(tally.causes(), run);
  return causes.map(({ kind, columns, fields, message, records: count }) => {
    const names = Object.keys(fields);
    return {
      problem: { message, records: count },
      has: ({ problems }) =>
        problems.some(
          (one) =>
            one.kind === kind &&
            (one.columns ?? []).join('\0') === columns.join('\0') &&
            (columns.length > 0 || names.length === 0 || names.includes(plain(one.field))),
        ),
    };
  });
}

/** As a tally names fields. */
function plain(field: string | null): string {
  return (field ?? '').replace(/\[\d+\]/g, '[]');
}

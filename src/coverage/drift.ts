/**
 * Detects whether a file still looks like the one for which its mapping was made. Reports only
 * large changes that can't well be chance, since drift stops an import.
 */
import type { Expectations } from '../mapping/mapping.js';
import type { DriftFinding } from '../model/errors.js';
import { type FillsSummary, MAX_PATHS } from './column-fill.js';
import { figuresOf, refersTo } from './coverage.js';
import type { SurveySummary } from './survey.js';
import { TimeSpread } from './time-spread.js';

/** Smallest difference between shares of blank, invalid or skipped records. */
const MIN_SHARE = 0.1;
/** Smallest difference between shares of languages, which vary more. */
const MIN_LANGUAGE_SHARE = 0.25;
const MIN_RECORDS = 5;
/** Fewest numbers for comparing ranges and typical lengths. */
const MIN_NUMBERS = 50;
/** Standard errors above which a difference isn't chance. */
const MIN_ERRORS = 4;
/** Largest probability at which the absence of a column isn't chance. */
const MAX_CHANCE = 1e-6;
/** Smallest factor between typical text lengths. */
const LENGTH_FACTOR = 3;
/** Number of years that dates may be earlier than expected. */
const SPARE_YEARS = 1;

type Findings = readonly DriftFinding[];

/** Lists changes with their figures; empty if the file is as expected. */
export function driftOf(expected: Expectations, sample: SampleProfile): Findings {
  return [
    ...columnDrift(expected, sample),
    ...recordShares(expected, sample).flatMap(shareDrift),
    ...metricDrift(expected, sample),
    ...dateDrift(expected, sample),
    ...languageShifts(expected, sample).flatMap(shareDrift),
    ...lengthDrift(expected, sample),
  ];
}

function columnDrift(
  { columns, blank }: Expectations,
  { header, summary }: SampleProfile,
): Findings {
  if (header === null) return keyDrift(blank, summary.columns);
  if (columns === undefined) return [];
  const gone = columns.filter((name) => !header.includes(name));
  const come = header.filter((name) => !columns.includes(name));
  return [...missingColumns(gone), ...columnFinding('columns are new', come, NONE, quoted(come))];
}

/** Finds keys that no object has any more, unless that may be chance. */
function keyDrift(blank: Expectations['blank'], { records, filled }: FillsSummary): Findings {
  if (filled.length >= MAX_PATHS) return [];
  const gone = Object.entries(blank).flatMap(([column, part]) =>
    part ** records > MAX_CHANCE || filled.some(([key]) => refersTo(column, key)) ? [] : [column],
  );
  return missingColumns(gone);
}

const NONE = 'none of them';

function missingColumns(columns: readonly string[]): Findings {
  return columnFinding('columns are missing', columns, quoted(columns), NONE);
}

function columnFinding(
  clause: string,
  columns: readonly string[],
  expected: string,
  found: string,
): Findings {
  if (columns.length === 0) return [];
  const message = `${clause}: ${quoted(columns)}`;
  return [{ kind: 'columns', name: null, expected, found, message }];
}

/** Expected and found share, each with its number of records. */
interface ComparedShare extends Pick<DriftFinding, 'kind' | 'name'> {
  /** The share's subject and predicate, for messages: `records are invalid`. */
  readonly clause: string;
  readonly before: Part;
  readonly now: Part;
  readonly least: number;
}

function recordShares(expected: Expectations, sample: SampleProfile): readonly ComparedShare[] {
  const { records } = expected;
  const { columns } = sample.summary;
  const blanks = Object.entries(expected.blank).map(([name, part]): ComparedShare => {
    const clause = `records have a blank ${JSON.stringify(name)}`;
    const now = { part: blankShare(name, columns), of: columns.records };
    return { kind: 'blank', name, clause, before: { part, of: records }, now, least: MIN_SHARE };
  });
  const outcomes = (['invalid', 'skipped'] as const).map((kind): ComparedShare => {
    const before = { part: expected[kind], of: records };
    const now = { part: share(sample[kind], sample.records), of: sample.records };
    return { kind, name: null, clause: `records are ${kind}`, before, now, least: MIN_SHARE };
  });
  return [...blanks, ...outcomes];
}

/** Reports a share that differs by more than `least` and by more than chance allows. */
function shareDrift({ before, now, least, ...what }: ComparedShare): Findings {
  const difference = Math.abs(before.part - now.part);
  if (difference < least || difference * now.of < MIN_RECORDS || before.of === 0) return [];
  const pooled = (before.part * before.of + now.part * now.of) / (before.of + now.of);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / before.of + 1 / now.of));
  if (difference <= MIN_ERRORS * error) return [];
  const [expected, found] = [percent(before.part), percent(now.part)];
  const { kind, name, clause } = what;
  return [{ kind, name, expected, found, message: `${found} of ${clause}, expected ${expected}` }];
}

function metricDrift({ metrics }: Expectations, { summary }: SampleProfile): Findings {
  return summary.metrics.flatMap(([name, numbers]): Findings => {
    const range = metrics[name];
    const figures = figuresOf(numbers);
    if (range === undefined || figures === null || figures.count < MIN_NUMBERS) return [];
    const [least, most] = range;
    const { p5, p95 } = figures.quantiles;
    const halved = most > least && figures.most <= (least + most) / 2;
    if (p5 >= least && p95 <= most && !halved) return [];
    const [expected, found] = [`${least} to ${most}`, `${figures.least} to ${figures.most}`];
    const message = `${name} is between ${figures.least} and ${figures.most}, expected ${expected}`;
    return [{ kind: 'metric', name, expected, found, message }];
  });
}

function dateDrift({ published }: Expectations, { summary }: SampleProfile): Findings {
  const { inFuture } = summary.published;
  const years = TimeSpread.of(summary.published).years();
  const total = (some: typeof years): number => some.reduce((sum, { count }) => sum + count, 0);
  const dated = total(years);
  const finding = (count: number, expected: string, message: string): Findings => {
    const found = `${count} of ${dated}`;
    if (count < MIN_RECORDS || share(count, dated) < MIN_SHARE / 2) return [];
    return [{ kind: 'dates', name: null, expected, found, message: `${found} dates ${message}` }];
  };
  const swapped = 'are in the future: are day and month swapped?';
  const future = finding(inFuture, 'dates in the past', swapped);
  if (published === undefined) return future;
  const earliest = Number(published[0].slice(0, 4)) - SPARE_YEARS;
  const early = total(years.filter(({ value }) => Number(value) < earliest));
  const message = `are before ${earliest}, the earliest expected was ${published[0]}`;
  return [...future, ...finding(early, `dates from ${published[0]} on`, message)];
}

function languageShifts(
  { languages, records }: Expectations,
  { summary }: SampleProfile,
): readonly ComparedShare[] {
  const found = languageShares(summary);
  if (found.size === 0) return [];
  return [...new Set([...Object.keys(languages), ...found.keys()])].map((name) => ({
    kind: 'language',
    name,
    clause: `texts are in the language ${name}`,
    before: { part: languages[name] ?? 0, of: records },
    now: { part: found.get(name) ?? 0, of: summary.documents },
    least: MIN_LANGUAGE_SHARE,
  }));
}

function lengthDrift({ textLength }: Expectations, { summary }: SampleProfile): Findings {
  const figures = figuresOf(summary.textLength);
  if (textLength === undefined || figures === null || figures.count < MIN_NUMBERS) return [];
  const median = figures.quantiles.p50;
  const factor = Math.max(median / textLength, textLength / median);
  if (factor < LENGTH_FACTOR) return [];
  const [expected, found] = [`${Math.round(textLength)}`, `${Math.round(median)}`];
  const message = `half of the texts have at most ${found} characters, expected ${expected}`;
  return [{ kind: 'length', name: null, expected, found, message }];
}

interface Part {
  readonly part: number;
  readonly of: number;
}

function percent(part: number): string {
  return `${Math.round(part * 1000) / 10}%`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

export interface SampleProfile {
  /** Records in the sample, and how many of them are invalid or skipped. */
  readonly records: number;
  readonly invalid: number;
  readonly skipped: number;
  /** Header of a table; `null` for objects. */
  readonly header: readonly string[] | null;
  readonly summary: SurveySummary;
}

const DAY_LETTERS = 10;

/**
 * Describes a good file, for the expectations in its mapping.
 * @param usedColumns the columns that the mapping names
 */
export function profileOf(sample: SampleProfile, usedColumns: readonly string[]): Expectations {
  const { records, invalid, skipped, header, summary } = sample;
  const length = figuresOf(summary.textLength);
  const { first, last } = summary.published;
  return {
    records,
    ...(header === null ? {} : { columns: header }),
    blank: Object.fromEntries(
      usedColumns.map((column) => [column, rounded(blankShare(column, summary.columns))]),
    ),
    invalid: rounded(share(invalid, records)),
    skipped: rounded(share(skipped, records)),
    metrics: Object.fromEntries(
      summary.metrics.map(([name, { least, most }]) => [name, [least, most] as const]),
    ),
    ...(first === ''
      ? {}
      : { published: [first.slice(0, DAY_LETTERS), last.slice(0, DAY_LETTERS)] as const }),
    languages: Object.fromEntries(
      [...languageShares(summary)].map(([language, part]) => [language, rounded(part)]),
    ),
    ...(length === null ? {} : { textLength: Math.round(length.quantiles.p50) }),
  };
}

/** Share of records without a value in a column; 1 if no record has the column. */
export function blankShare(column: string, { records, filled }: FillsSummary): number {
  const exact = filled.find(([name]) => name === column);
  const matching =
    exact === undefined ? filled.filter(([name]) => refersTo(column, name)) : [exact];
  const most = Math.max(0, ...matching.map(([, count]) => count));
  return records === 0 ? 0 : 1 - most / records;
}

/** Share of each language among documents with a language, the most frequent first. */
export function languageShares({ languages }: SurveySummary): ReadonlyMap<string, number> {
  const known = languages.counts.reduce((sum, [, count]) => sum + count, languages.other);
  const sorted = languages.counts.toSorted(([, a], [, b]) => b - a);
  return new Map(sorted.map(([language, count]) => [language, share(count, known)]));
}

/** Returns 0 if `whole` is 0. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function rounded(part: number): number {
  return Math.round(part * 1000) / 1000;
}

/**
 * Whether a file still looks like the one that its mapping was made for. A change counts only when
 * it is large and can't well be chance, since a drifted file stops an import.
 */
import type { Expectations } from '../mapping/mapping.js';
import type { DriftFinding } from '../model/errors.js';
import { figuresOf } from './coverage.js';
import { blankShare, languageShares, type SampleProfile, share } from './profile.js';

/** Shares of blanks, and of invalid and skipped records, that differ by less are the same. */
const MIN_SHARE = 0.1;
/** Languages come and go more than that. */
const MIN_LANGUAGE_SHARE = 0.25;
/** Fewer records tell nothing. */
const MIN_RECORDS = 5;
/** Ranges and typical lengths are told from no fewer numbers. */
const MIN_NUMBERS = 50;
/** How many standard errors lie between chance and a change. */
const MIN_ERRORS = 4;
/** Texts so many times as long, or as short, are other texts. */
const LENGTH_FACTOR = 3;
/** Dates may lie so many years before the earliest that was learned. */
const SPARE_YEARS = 1;

/** What has changed, with its numbers; nothing if the file is as expected. */
export function driftOf(expected: Expectations, sample: SampleProfile): readonly DriftFinding[] {
  return [
    ...columnDrift(expected, sample),
    ...blankDrift(expected, sample),
    ...shareDrift('invalid', expected, sample),
    ...shareDrift('skipped', expected, sample),
    ...metricDrift(expected, sample),
    ...dateDrift(expected, sample),
    ...languageDrift(expected, sample),
    ...lengthDrift(expected, sample),
  ];
}

function columnDrift(
  { columns }: Expectations,
  { header }: SampleProfile,
): readonly DriftFinding[] {
  if (columns === undefined || header === null) return [];
  const gone = columns.filter((name) => !header.includes(name));
  const come = header.filter((name) => !columns.includes(name));
  if (gone.length + come.length > 0) {
    return [
      ...columnFinding('columns are gone', gone, { expected: quoted(gone), found: 'none of them' }),
      ...columnFinding('columns are new', come, { expected: 'none of them', found: quoted(come) }),
    ];
  }
  const moved = header.filter((name, at) => columns[at] !== name);
  const expected = quoted(columns.filter((name) => moved.includes(name)));
  return columnFinding('columns stand in another order', moved, { expected, found: quoted(moved) });
}

function columnFinding(
  clause: string,
  names: readonly string[],
  change: Pick<DriftFinding, 'expected' | 'found'>,
): readonly DriftFinding[] {
  if (names.length === 0) return [];
  return [{ kind: 'columns', name: null, ...change, message: `${clause}: ${quoted(names)}` }];
}

function blankDrift(
  { blank, records }: Expectations,
  { summary }: SampleProfile,
): readonly DriftFinding[] {
  return Object.entries(blank).flatMap(([column, part]): DriftFinding[] => {
    const found = blankShare(column, summary.columns);
    const before = { part, of: records };
    if (!differs(before, { part: found, of: summary.columns.records }, MIN_SHARE)) return [];
    const clause = `column ${JSON.stringify(column)} is blank`;
    return [{ kind: 'blank', name: column, ...shares(clause, part, found) }];
  });
}

function shareDrift(
  outcome: 'invalid' | 'skipped',
  expected: Expectations,
  sample: SampleProfile,
): readonly DriftFinding[] {
  const part = expected[outcome];
  const found = share(sample[outcome], sample.records);
  const before = { part, of: expected.records };
  if (!differs(before, { part: found, of: sample.records }, MIN_SHARE)) return [];
  return [{ kind: outcome, name: null, ...shares(`records are ${outcome}`, part, found) }];
}

function metricDrift(
  { metrics }: Expectations,
  { summary }: SampleProfile,
): readonly DriftFinding[] {
  return summary.metrics.flatMap(([name, numbers]): DriftFinding[] => {
    const range = metrics[name];
    const figures = figuresOf(numbers);
    if (range === undefined || figures === null || figures.count < MIN_NUMBERS) return [];
    const [least, most] = range;
    const { p5, p95 } = figures.quantiles;
    const halved = most > least && figures.most <= (least + most) / 2;
    if (p5 >= least && p95 <= most && !halved) return [];
    const expected = `${least} to ${most}`;
    const message = `${name} lies between ${figures.least} and ${figures.most}, expected were ${expected}`;
    return [
      { kind: 'metric', name, expected, found: `${figures.least} to ${figures.most}`, message },
    ];
  });
}

function dateDrift(
  { published }: Expectations,
  { summary }: SampleProfile,
): readonly DriftFinding[] {
  const { ahead, dates } = summary.published;
  const { years } = dates;
  const dated = years.counts.reduce((sum, [, count]) => sum + count, years.other);
  const finding = (count: number, expected: string, message: string): DriftFinding[] => {
    const found = `${count} of ${dated}`;
    const isMany = count >= MIN_RECORDS && share(count, dated) >= MIN_SHARE / 2;
    return isMany
      ? [{ kind: 'dates', name: null, expected, found, message: `${found} dates ${message}` }]
      : [];
  };
  const future = finding(
    ahead,
    'dates in the past',
    'lie in the future: are day and month the right way round?',
  );
  if (published === undefined) return future;
  const earliest = Number(published[0].slice(0, 4)) - SPARE_YEARS;
  const early = years.counts.reduce(
    (sum, [year, count]) => sum + (Number(year) < earliest ? count : 0),
    0,
  );
  const message = `lie before ${earliest}, the earliest expected was ${published[0]}`;
  return [...future, ...finding(early, `dates from ${published[0]} on`, message)];
}

function languageDrift(
  { languages, records }: Expectations,
  { summary }: SampleProfile,
): readonly DriftFinding[] {
  const found = languageShares(summary);
  if (found.size === 0) return [];
  const all = new Set([...Object.keys(languages), ...found.keys()]);
  return [...all].flatMap((language): DriftFinding[] => {
    const before = { part: languages[language] ?? 0, of: records };
    const now = { part: found.get(language) ?? 0, of: summary.documents };
    if (!differs(before, now, MIN_LANGUAGE_SHARE)) return [];
    const clause = `texts are in the language ${language}`;
    return [{ kind: 'language', name: language, ...shares(clause, before.part, now.part) }];
  });
}

function lengthDrift(
  { textLength }: Expectations,
  { summary }: SampleProfile,
): readonly DriftFinding[] {
  const figures = figuresOf(summary.textLength);
  if (textLength === undefined || figures === null || figures.count < MIN_NUMBERS) return [];
  const median = figures.quantiles.p50;
  const factor = Math.max(median / textLength, textLength / median);
  if (factor < LENGTH_FACTOR) return [];
  const [expected, found] = [`${Math.round(textLength)}`, `${Math.round(median)}`];
  const message = `half of the texts have at most ${found} characters, expected were ${expected}`;
  return [{ kind: 'length', name: null, expected, found, message }];
}

/** A share, and of how many records. */
interface Part {
  readonly part: number;
  readonly of: number;
}

/** Whether two shares differ by at least so much, and by more than chance makes them. */
function differs(before: Part, now: Part, least: number): boolean {
  const difference = Math.abs(before.part - now.part);
  if (difference < least || difference * now.of < MIN_RECORDS || before.of === 0) return false;
  const pooled = (before.part * before.of + now.part * now.of) / (before.of + now.of);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / before.of + 1 / now.of));
  return difference > MIN_ERRORS * error;
}

/** Something is so in another share of them than expected. */
function shares(
  clause: string,
  before: number,
  now: number,
): Pick<DriftFinding, 'expected' | 'found' | 'message'> {
  const [expected, found] = [percent(before), percent(now)];
  return { expected, found, message: `${clause} in ${found} of them, expected were ${expected}` };
}

function percent(part: number): string {
  return `${Math.round(part * 1000) / 10} %`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

/**
 * Whether a file still looks like the one that its mapping was made for. A change counts only when
 * it is large and can't well be chance, since a drifted file stops an import.
 */
import type { Expectations } from '../mapping/mapping.js';
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

/** What has changed, a sentence each with its numbers; nothing if the file is as expected. */
export function driftOf(expected: Expectations, sample: SampleProfile): readonly string[] {
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

function columnDrift({ columns }: Expectations, { header }: SampleProfile): readonly string[] {
  if (columns === undefined || header === null) return [];
  const gone = columns.filter((name) => !header.includes(name));
  const come = header.filter((name) => !columns.includes(name));
  if (gone.length + come.length > 0) {
    return [
      ...(gone.length > 0 ? [`columns are gone: ${quoted(gone)}`] : []),
      ...(come.length > 0 ? [`columns are new: ${quoted(come)}`] : []),
    ];
  }
  const moved = header.filter((name, at) => columns[at] !== name);
  return moved.length > 0 ? [`columns stand in another order: ${quoted(moved)}`] : [];
}

function blankDrift(
  { blank, records }: Expectations,
  { summary }: SampleProfile,
): readonly string[] {
  return Object.entries(blank).flatMap(([column, part]) => {
    const found = blankShare(column, summary.columns);
    const before = { part, of: records };
    if (!differs(before, { part: found, of: summary.columns.records }, MIN_SHARE)) return [];
    return [`column ${JSON.stringify(column)} is blank in ${percents(found, part)}`];
  });
}

function shareDrift(
  outcome: 'invalid' | 'skipped',
  expected: Expectations,
  sample: SampleProfile,
): readonly string[] {
  const part = expected[outcome];
  const found = share(sample[outcome], sample.records);
  const before = { part, of: expected.records };
  if (!differs(before, { part: found, of: sample.records }, MIN_SHARE)) return [];
  return [`records are ${outcome} in ${percents(found, part)}`];
}

function metricDrift({ metrics }: Expectations, { summary }: SampleProfile): readonly string[] {
  return summary.metrics.flatMap(([name, numbers]) => {
    const range = metrics[name];
    const found = figuresOf(numbers);
    if (range === undefined || found === null || found.count < MIN_NUMBERS) return [];
    const [least, most] = range;
    const { p5, p95 } = found.quantiles;
    const where = `${name} lies between ${found.least} and ${found.most}, expected were ${least} to ${most}`;
    const halved = most > least && found.most <= (least + most) / 2;
    return p5 < least || p95 > most || halved ? [where] : [];
  });
}

function dateDrift({ published }: Expectations, { summary }: SampleProfile): readonly string[] {
  const { ahead, dates } = summary.published;
  const { years } = dates;
  const dated = years.counts.reduce((sum, [, count]) => sum + count, years.other);
  const isMany = (count: number): boolean =>
    count >= MIN_RECORDS && share(count, dated) >= MIN_SHARE / 2;
  const changes = isMany(ahead)
    ? [`${ahead} of ${dated} dates lie in the future: are day and month the right way round?`]
    : [];
  if (published === undefined) return changes;
  const earliest = Number(published[0].slice(0, 4)) - SPARE_YEARS;
  const early = years.counts.reduce(
    (sum, [year, count]) => sum + (Number(year) < earliest ? count : 0),
    0,
  );
  if (!isMany(early)) return changes;
  return [
    ...changes,
    `${early} of ${dated} dates lie before ${earliest}, the earliest expected was ${published[0]}`,
  ];
}

function languageDrift(
  { languages, records }: Expectations,
  { summary }: SampleProfile,
): readonly string[] {
  const found = languageShares(summary);
  if (found.size === 0) return [];
  const all = new Set([...Object.keys(languages), ...found.keys()]);
  return [...all].flatMap((language) => {
    const before = { part: languages[language] ?? 0, of: records };
    const now = { part: found.get(language) ?? 0, of: summary.documents };
    if (!differs(before, now, MIN_LANGUAGE_SHARE)) return [];
    return [`texts are in the language ${language} in ${percents(now.part, before.part)}`];
  });
}

function lengthDrift({ textLength }: Expectations, { summary }: SampleProfile): readonly string[] {
  const found = figuresOf(summary.textLength);
  if (textLength === undefined || found === null || found.count < MIN_NUMBERS) return [];
  const median = found.quantiles.p50;
  const factor = Math.max(median / textLength, textLength / median);
  if (factor < LENGTH_FACTOR) return [];
  return [
    `half of the texts have at most ${Math.round(median)} characters, expected were ${Math.round(textLength)}`,
  ];
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

function percents(found: number, expected: number): string {
  return `${percent(found)} of them, expected were ${percent(expected)}`;
}

function percent(part: number): string {
  return `${Math.round(part * 1000) / 10} %`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

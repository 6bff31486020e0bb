import { html } from 'hono/html';
import type { Coverage } from '../../coverage/coverage.js';
import type { NumberFigures } from '../../coverage/number-spread.js';
import type { Counted } from '../../coverage/value-counts.js';
import { count, percent, thousands } from '../../model/figures.js';
import { printable } from '../../model/text.js';
import { documentsText } from '../coverage-text.js';
import { type Axis, barChart, histogram, lineChart, roundTicks } from './charts.js';
import {
  type Content,
  chart,
  decimal,
  foreign,
  type Html,
  omitted,
  section,
  shares,
} from './parts.js';

const [MAX_METRICS, MAX_VALUES] = [8, 8];
/** Range up to which quantiles may be fractions. */
const MAX_EXACT = 30;
/** Shows the whole scale of scores, also those that don't occur. */
const STARS = [1, 5] as const;
const SENTIMENTS: Readonly<Record<string, string>> = { B: 'Good', N: 'Neutral', R: 'Bad' };

/** Describes the documents as a whole. */
export function documentsSection(coverage: Coverage): Html {
  const { documents, metrics, textLength, languages, sentiments, fields, columns } = coverage;
  const { tags = [], locations = [] } = coverage;
  const having = (name: string) => {
    const { filled = 0, constant = null } = fields.find(({ field }) => field === name) ?? {};
    const isStated = constant !== null && !columns.some((column) => column.fields.includes(name));
    return [filled, documents, isStated ? ', as the mapping states' : ''] as const;
  };
  const all = Object.entries(metrics);
  const cards = [
    ...overTime(coverage),
    ...all
      .slice(0, MAX_METRICS)
      .map(([name, figures]) =>
        spread(printable(name), figures, documents, name === 'score' ? { range: STARS } : {}),
      ),
    textLength && spread('Characters of text', textLength, documents),
    values('Sentiments', sentiments, having('sentiment'), (code) => SENTIMENTS[code] ?? code),
    values('Languages', languages, having('language'), languageName),
    values('Tags', tags, having('tags')),
    values('Locations', locations, having('detectedLocations')),
  ];
  return section(
    ...(['documents', 'Reviews', `Figures of ${documentsText(coverage)}.`] as const),
    html`<div class="cards">${cards}</div>`,
    omitted(all.length, 'metrics', MAX_METRICS),
  );
}

/** Draws documents and their mean score over time; absent in reports of earlier versions. */
function overTime({ published, overTime = [] }: Coverage): readonly Html[] {
  const [first] = overTime;
  if (published === null || first === undefined) return [];
  const { unit } = first;
  const periods = overTime.map((one) => ({ ...one, ...periodOf(one.from, unit) }));
  const x = timeScale(periods);
  const { first: earliest, last, inFuture = 0 } = published;
  const later = inFuture > 0 ? `; ${thousands(inFuture)} in the future` : '';
  const span = `${earliest.slice(0, 10)} to ${last.slice(0, 10)}${later}`;
  const bars = periods.map(({ from, to, name, documents }) => {
    return { from, to, count: documents, title: `${name}: ${thousands(documents)}` };
  });
  const rows = periods.map(({ name, documents }) => [name, documents] as const);
  const documentBars = chart(`Published by ${unit}`, span, barChart(bars, x), { rows });
  const scored = periods.flatMap(({ meanScore, ...one }) =>
    meanScore === null ? [] : [{ ...one, score: meanScore }],
  );
  if (scored.length < 2) return [documentBars];
  const scores = scored.map(({ score }) => score);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const [from, to] = [Math.min(STARS[0], least), Math.max(STARS[1], most)];
  const points = scored.map(({ from, to, score }) => [(from + to) / 2, score] as const);
  const means = chart(
    `Mean score by ${unit}`,
    `${decimal(least)} to ${decimal(most)}, on the scale from 1 to 5`,
    lineChart(points, x, { from, to, ticks: roundTicks(from, to) }),
    {
      columns: [unit, 'Mean score'],
      rows: scored.map(({ name, score }) => [name, decimal(score)] as const),
    },
  );
  return [documentBars, means];
}

type Unit = NonNullable<Coverage['overTime']>[number]['unit'];

interface Span {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** Bounds of a period in milliseconds, and its first day as precise as its unit. */
function periodOf(first: string, unit: Unit): Span {
  const end = new Date(first);
  if (unit === 'year') end.setUTCFullYear(end.getUTCFullYear() + 1);
  else if (unit === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCDate(end.getUTCDate() + (unit === 'week' ? 7 : 1));
  const name = first.slice(0, { year: 4, month: 7, week: 10, day: 10 }[unit]);
  return { from: Date.parse(first), to: end.getTime(), name };
}

/** Labels about four periods, evenly spaced. */
function timeScale(periods: readonly Span[]): Axis {
  const [from, to] = [periods[0]?.from ?? 0, periods.at(-1)?.to ?? 1];
  const middle = (one: Span): number => (one.from + one.to) / 2;
  const nearest = [0.125, 0.375, 0.625, 0.875].map((part) => {
    const distance = (one: Span): number => Math.abs(middle(one) - from - part * (to - from));
    return periods.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  });
  const ticks = [...new Set(nearest)].map((one) => ({ at: middle(one), text: one.name }));
  return { from, to, ticks };
}

/**
 * Draws the distribution of a number, with statistics.
 * @param of number of documents that could have it
 */
export function spread(
  title: string,
  figures: NumberFigures,
  of: number,
  { unit = '', range = null }: { unit?: string; range?: readonly [number, number] | null } = {},
): Html {
  const { least, most, mean, quantiles, values, bins } = figures;
  // More digits than are known would look wrong for whole numbers.
  const near = (number: number): string =>
    decimal(values === null && most - least > MAX_EXACT ? Math.round(number) : number);
  const facts = [
    `${decimal(least)} to ${decimal(most)}${unit}`,
    ...(range === null ? [] : ['on a scale from 1 (worst) to 5 (best)']),
    `median ${near(quantiles.p50)}, mean ${decimal(mean)}`,
    ...(values === null ? [`90% from ${near(quantiles.p5)} to ${near(quantiles.p95)}`] : []),
    ...(of > figures.count ? [`${count(of - figures.count, 'document')} without`] : []),
  ];
  const rows =
    values?.map(({ value, count }) => [decimal(value), count] as const) ??
    bins?.map(({ from, to, count }) => [`${decimal(from)} to ${decimal(to)}`, count] as const);
  const svg = histogram(figures, range ?? [least, most]);
  return chart(title, facts.join('; '), svg, { rows: rows ?? [] });
}

/** @param documents number of those that have a value, and of all */
function values(
  title: string,
  all: readonly Counted[],
  [known, of, why]: readonly [known: number, of: number, why: string],
  nameOf: (value: string) => string = String,
): Content {
  if (all.length === 0) return null;
  const sum = (some: readonly Counted[]): number => some.reduce((sum, { count }) => sum + count, 0);
  const [shown, rest] = [all.slice(0, MAX_VALUES), all.slice(MAX_VALUES)];
  const rows = [
    ...shown.map(({ value, count }) => ({ value: foreign(nameOf(value)), count })),
    ...(rest.length > 0 ? [{ value: html`<i>${rest.length} more</i>`, count: sum(rest) }] : []),
    ...(known < of ? [{ value: html`<i>none</i>`, count: of - known }] : []),
  ];
  return shares(title, `${percent(known, of)} of the documents have one${why}`, rows, of);
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Names a language, with its code; others stay as they are. */
function languageName(code: string): string {
  try {
    const name = LANGUAGES.of(code);
    return name === undefined ? code : `${name} (${code})`;
  } catch {
    return code;
  }
}

/** Charts as SVG on true scales. Colours are set by the page, to suit light and dark. */
import { html } from 'hono/html';
import { type NumberFigures, roundStep } from '../../coverage/number-spread.js';
import { percent, thousands } from '../../model/figures.js';
import type { Report } from '../report.js';
import { decimal, type Html } from './parts.js';

export interface ChartBar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly title: string;
  /** Shown above it. */
  readonly text?: string;
}

export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

type Point = readonly [x: number, y: number];

/** As wide as a narrow screen: a wider chart, scaled down, would be unreadable. */
const [WIDTH, HEIGHT] = [360, 180];
const [LEFT, RIGHT, TOP, BOTTOM] = [42, 346, 16, 156];

/** Draws bars from zero on a numeric axis. */
export function barChart(bars: readonly ChartBar[], x: Axis): Html {
  const y = countScale(Math.max(0, ...bars.map(({ count }) => count)));
  const { right, up } = positions(x, y);
  const marks = bars.map(({ from, to, count, title, text }) => {
    const width = Math.max(1, right(to) - right(from) - 1);
    return html`<g><title>${title}</title>
<rect class="part" x="${px(right(from) + 0.5)}" y="${px(up(count))}" width="${px(width)}" height="${px(BOTTOM - up(count))}"/>
${text && html`<text x="${px(right((from + to) / 2))}" y="${px(up(count) - 4)}" text-anchor="middle">${text}</text>`}</g>`;
  });
  return frame(x, y, marks);
}

/** Longest scale of whole numbers with a bar and a share each. */
const MAX_WHOLE = 11;

/**
 * Draws how often numbers occur: whole ones on a short scale one by one, gaps included.
 * @param range shown in any case
 */
export function histogram(figures: NumberFigures, range: Point): Html {
  const { values, bins, count: all } = figures;
  if (values === null) return binChart(bins ?? []);
  const [from, to] = [Math.min(range[0], figures.least), Math.max(range[1], figures.most)];
  const isWhole = to - from < MAX_WHOLE && values.every(({ value }) => Number.isInteger(value));
  const gaps = values.slice(1).map(({ value }, index) => value - (values[index]?.value ?? 0));
  const half = 0.42 * (isWhole ? 1 : Math.min(to - from || 1, ...gaps));
  const found = new Map(values.map(({ value, count }) => [value, count]));
  const shown = isWhole
    ? Array.from({ length: to - from + 1 }, (_, index) => from + index)
    : [...found.keys()];
  const bars = shown.map((value) => {
    const count = found.get(value) ?? 0;
    const title = `${decimal(value)}: ${thousands(count)}`;
    const text = isWhole ? { text: percent(count, all) } : {};
    return { from: value - half, to: value + half, count, title, ...text };
  });
  const ticks = isWhole ? shown.map(tickAt) : roundTicks(from, to);
  return barChart(bars, { from: from - half, to: to + half, ticks });
}

/** The outermost bins may reach far: their titles say how far, their bars end sooner. */
function binChart(bins: NonNullable<NumberFigures['bins']>): Html {
  const most = 2 * Math.max(0, ...bins.slice(1, -1).map((bin) => bin.to - bin.from)) || Infinity;
  const bars = bins.map(({ from, to, count }, index) => ({
    from: index === 0 ? Math.max(from, to - most) : from,
    to: index > 0 && index === bins.length - 1 ? Math.min(to, from + most) : to,
    count,
    title: `${decimal(from)} to ${decimal(to)}: ${thousands(count)}`,
  }));
  const [from, to] = [bars[0]?.from ?? 0, bars.at(-1)?.to ?? 1];
  return barChart(bars, { from, to, ticks: roundTicks(from, to) });
}

/** Draws a figure over time as a line, with a dot at each of its points. */
export function lineChart(points: readonly Point[], x: Axis, y: Axis): Html {
  const { right, up, path } = positions(x, y);
  const dots = points.map(
    ([at, value]) =>
      html`<circle class="part" cx="${px(right(at))}" cy="${px(up(value))}" r="2.5"><title>${decimal(value)}</title></circle>`,
  );
  return frame(x, y, [html`<polyline class="stroke" points="${path(points)}"/>`, ...dots]);
}

type TimelinePoint = NonNullable<Report['delivery']>['timeline'][number];

/** Intervals between ticks of a time axis, in seconds. */
const STEPS = [0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];
const MAX_TICKS = 6;

/** Draws accepted records per second as an area, and those read as a line. */
export function speedChart(timeline: readonly TimelinePoint[]): Html {
  const [read, accepted] = (['read', 'accepted'] as const).map((name) => levels(timeline, name));
  const end = Math.max(0, ...timeline.map(({ atMs, spanMs }) => atMs + spanMs)) / 1000;
  const step = STEPS.find((seconds) => end / seconds < MAX_TICKS) ?? end / MAX_TICKS;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  const x = { from: 0, to: end, ticks: ticks.map((at) => ({ at, text: clock(at) })) };
  const most = [...(read ?? []), ...(accepted ?? [])].map(([, rate]) => rate);
  const y = countScale(Math.max(0, ...most));
  const { path } = positions(x, y);
  return frame(x, y, [
    html`<polygon class="part" points="${path([[0, 0], ...(accepted ?? []), [end, 0]])}"/>`,
    html`<polyline class="stroke ink" points="${path(read ?? [])}"/>`,
  ]);
}

/** Converts each time span to a level line, with zero between non-adjacent ones. */
function levels(timeline: readonly TimelinePoint[], name: 'read' | 'accepted'): readonly Point[] {
  let doneMs = 0;
  return timeline.flatMap(({ atMs, spanMs, [name]: records }) => {
    const rate = spanMs === 0 ? 0 : (records * 1000) / spanMs;
    const gap = atMs > doneMs ? [doneMs, atMs].map((ms): Point => [ms / 1000, 0]) : [];
    doneMs = atMs + spanMs;
    return [...gap, ...[atMs, doneMs].map((ms): Point => [ms / 1000, rate])];
  });
}

function clock(seconds: number): string {
  if (seconds < 60) return seconds === 0 ? '0' : `${decimal(seconds)} s`;
  const text = new Date(Math.round(seconds) * 1000).toISOString().slice(11, 19);
  return text.replace(/^00:0?/u, '');
}

function frame(x: Axis, y: Axis, marks: readonly Html[]): Html {
  const { right, up } = positions(x, y);
  const grid = y.ticks.map(({ at, text }) => [
    html`<line x1="${LEFT}" x2="${RIGHT}" y1="${px(up(at))}" y2="${px(up(at))}"/>`,
    html`<text x="${LEFT - 6}" y="${px(up(at) + 4)}" text-anchor="end">${text}</text>`,
  ]);
  const labels = x.ticks.map(
    ({ at, text }) =>
      html`<text x="${px(right(at))}" y="${BOTTOM + 16}" text-anchor="middle">${text}</text>`,
  );
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${grid}${marks}${labels}</svg>`;
}

function positions(x: Axis, y: Axis) {
  const right = (at: number): number =>
    LEFT + ((at - x.from) * (RIGHT - LEFT)) / (x.to - x.from || 1);
  const up = (at: number): number =>
    BOTTOM - ((at - y.from) * (BOTTOM - TOP)) / (y.to - y.from || 1);
  const path = (points: readonly Point[]): string =>
    points.map(([at, value]) => `${px(right(at))},${px(up(value))}`).join(' ');
  return { right, up, path };
}

/** Rounds a coordinate, as no screen shows more decimals. */
function px(number: number): string {
  return `${+number.toFixed(1)}`;
}

function countScale(most: number): Axis {
  const step = Math.max(1, roundStep(most / 4));
  const to = step * Math.max(1, Math.ceil(most / step));
  const ticks = Array.from({ length: to / step + 1 }, (_, index) => tickAt(index * step));
  return { from: 0, to, ticks };
}

/** Marks about four round numbers in a range. */
export function roundTicks(from: number, to: number): Axis['ticks'] {
  const step = roundStep((to - from) / 4);
  const first = Math.ceil(from / step);
  const length = Math.max(0, Math.floor(to / step + 1e-9) - first + 1);
  return Array.from({ length }, (_, index) => tickAt((first + index) * step));
}

function tickAt(at: number): Axis['ticks'][number] {
  const text = at.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 4 });
  return { at, text };
}

/** Charts as SVG. Colours are set by the page, to suit light and dark. */
import * as Plot from '@observablehq/plot';
import type { NumberFigures } from '../../coverage/number-spread.js';
import type { Counted } from '../../coverage/value-counts.js';
import { thousands } from '../../model/figures.js';
import type { Report } from '../report.js';
import { chartDocument } from './chart-document.js';
import { decimal } from './parts.js';

/** Width of a narrow screen: a wider chart, scaled down, would be unreadable. */
const WIDTH = 360;
const HEIGHT = 180;

/** Draws a bar per number, or a histogram if there are many. */
export function histogram(figures: NumberFigures, label: string | null): string {
  const { values, bins } = figures;
  if (values !== null) return valueBars(values, label);
  const drawn = shortened(bins ?? []);
  const title = (bin: Bin): string =>
    `${decimal(bin.from)} to ${decimal(bin.to)}: ${thousands(bin.count)}`;
  return draw({ label, ticks: 6 }, [
    Plot.rectY(drawn, { x1: 'x1', x2: 'x2', y: 'count', fill: BAR, insetLeft: 1, title }),
  ]);
}

/** Draws the number of documents per month. */
export function monthBars(months: readonly Counted[]): string {
  const rows = months.map(({ value, count }) => ({ month: new Date(`${value}-01`), count }));
  const title = ({ month, count }: { month: Date; count: number }): string =>
    `${month.toISOString().slice(0, 7)}: ${thousands(count)}`;
  return draw({ type: 'utc', label: null }, [
    Plot.rectY(rows, { x: 'month', interval: 'month', y: 'count', fill: BAR, title }),
  ]);
}

/** Draws records read per second as a line, and accepted ones as an area. */
export function speedChart(timeline: readonly TimelinePoint[]): string {
  const accepted = steps(timeline, ({ accepted, spanMs }) => perSecond(accepted, spanMs));
  const read = steps(timeline, ({ read, spanMs }) => perSecond(read, spanMs));
  return draw(timeAxis(timeline), [
    // Plot stacks areas unless the baseline is given.
    Plot.areaY(accepted, { x: 'seconds', y1: 0, y2: 'value', fill: BAR }),
    Plot.lineY(read, { x: 'seconds', y: 'value', stroke: 'currentColor', strokeWidth: 1.5 }),
  ]);
}

type TimelinePoint = NonNullable<Report['delivery']>['timeline'][number];

function perSecond(records: number, spanMs: number): number {
  return spanMs === 0 ? 0 : (records * 1000) / spanMs;
}

/** Converts each time span to a level line, with zero between non-adjacent ones. */
function steps(
  timeline: readonly TimelinePoint[],
  value: (point: TimelinePoint) => number,
): readonly { readonly seconds: number; readonly value: number }[] {
  let doneMs = 0;
  return timeline.flatMap((point) => {
    const { atMs, spanMs } = point;
    const gap = atMs > doneMs ? [doneMs, atMs].map((ms) => ({ seconds: ms / 1000, value: 0 })) : [];
    doneMs = atMs + spanMs;
    const span = [atMs, doneMs].map((ms) => ({ seconds: ms / 1000, value: value(point) }));
    return [...gap, ...span];
  });
}

const BAR = 'var(--bar)';

/** Intervals between ticks of a time axis, in seconds. */
const STEPS = [0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];
const MAX_TICKS = 7;

function timeAxis(timeline: readonly TimelinePoint[]): Plot.ScaleOptions {
  const end = Math.max(0, ...timeline.map(({ atMs, spanMs }) => atMs + spanMs)) / 1000;
  const step = STEPS.find((seconds) => end / seconds < MAX_TICKS) ?? end / MAX_TICKS;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  return { label: null, domain: [0, end], tickFormat: clock, ticks };
}

function clock(seconds: number): string {
  if (seconds === 0) return '0';
  if (seconds < 60) return `${decimal(seconds)} s`;
  const [minutes, hours] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600)];
  const rest = `${Math.round(seconds % 60)}`.padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${`${minutes}`.padStart(2, '0')}:${rest}`;
}

function short(count: number): string {
  return count.toLocaleString('en-US', { notation: 'compact' });
}

/** Draws a bar per number: side by side if they are few, to scale if they are many. */
function valueBars(values: NonNullable<NumberFigures['values']>, label: string | null): string {
  const title = ({ value, count }: { value: number; count: number }): string =>
    `${decimal(value)}: ${thousands(count)}`;
  const bars = { x: 'value', y: 'count', title } as const;
  const isFew = values.length <= MAX_BANDS;
  return isFew
    ? draw({ label, type: 'band', tickFormat: decimal }, [
        Plot.barY(values, { ...bars, fill: BAR }),
      ])
    : draw({ label, ticks: 6, inset: 6 }, [
        Plot.ruleX(values, { ...bars, stroke: BAR, strokeWidth: 5 }),
      ]);
}

const MAX_BANDS = 11;

type Bin = NonNullable<NumberFigures['bins']>[number];

/** Limits the width of the outermost bins to twice that of others. */
function shortened(bins: readonly Bin[]): readonly (Bin & { x1: number; x2: number })[] {
  const inner = bins.slice(1, -1);
  const width = Math.max(0, ...inner.map(({ from, to }) => to - from));
  const most = width === 0 ? Infinity : 2 * width;
  return bins.map((bin, index) => {
    const x1 = index === 0 ? Math.max(bin.from, bin.to - most) : bin.from;
    const x2 = index > 0 && index === bins.length - 1 ? Math.min(bin.to, bin.from + most) : bin.to;
    return { ...bin, x1, x2 };
  });
}

/** Draws marks over a grid, with counts on the vertical axis. */
function draw(x: Plot.ScaleOptions, marks: readonly Plot.Markish[]): string {
  const chart = Plot.plot({
    document: chartDocument(),
    ...{ width: WIDTH, height: HEIGHT, marginTop: 12, marginLeft: 42, marginRight: 20 },
    x,
    y: { label: null, ticks: 4, nice: true, tickFormat: short },
    marks: [Plot.gridY({ ticks: 4, strokeOpacity: 0.15 }), ...marks, Plot.ruleY([0])],
  });
  return String(chart);
}

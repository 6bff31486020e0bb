/** Charts as SVG. Their colours are the page's, so that one serves light and dark. */
import * as Plot from '#plot';
import type { NumberFigures } from '../../coverage/number-spread.js';
import type { Counted } from '../../coverage/value-counts.js';
import { thousands } from '../../model/figures.js';
import { chartDocument } from './chart-document.js';
import { show } from './parts.js';

const NARROW = 360;
const WIDE = 840;
const HEIGHT = 180;

/** A chart for narrow screens and one for others: a chart that shrinks can't be read. */
export interface TwoWidths {
  readonly wide: string;
  readonly narrow: string;
}

/** How numbers are spread: a bar for each, or a histogram where there are many. */
export function histogram(figures: NumberFigures, label: string | null): string {
  const { values, bins } = figures;
  if (values !== null) return valueBars(values, label);
  const drawn = shortened(bins ?? []);
  const title = (bin: Bin): string =>
    `${show(bin.from)} to ${show(bin.to)}: ${thousands(bin.count)}`;
  return draw(NARROW, {
    x: { label, ticks: 6 },
    y: COUNTS,
    marks: [
      Plot.gridY({ ticks: 4, strokeOpacity: 0.15 }),
      Plot.rectY(drawn, { x1: 'x1', x2: 'x2', y: 'count', fill: BAR, insetLeft: 1, title }),
      Plot.ruleY([0]),
    ],
  });
}

/** How many documents are of each month. */
export function monthBars(months: readonly Counted[]): TwoWidths {
  const rows = months.map(({ value, count }) => ({ month: new Date(`${value}-01`), count }));
  const title = ({ month, count }: { month: Date; count: number }): string =>
    `${month.toISOString().slice(0, 7)}: ${thousands(count)}`;
  return bothWidths(() => ({
    x: { type: 'utc', label: null },
    y: COUNTS,
    marks: [
      Plot.gridY({ ticks: 4, strokeOpacity: 0.15 }),
      Plot.rectY(rows, { x: 'month', interval: 'month', y: 'count', fill: BAR, title }),
      Plot.ruleY([0]),
    ],
  }));
}

const BAR = 'var(--bar)';
const COUNTS = { label: null, ticks: 4, nice: true, tickFormat: short } as const;

/** `1.5K` */
function short(count: number): string {
  return count.toLocaleString('en-US', { notation: 'compact' });
}

/** A bar for each number; where there are several, at its place between the others. */
function valueBars(values: NonNullable<NumberFigures['values']>, label: string | null): string {
  const title = ({ value, count }: { value: number; count: number }): string =>
    `${show(value)}: ${thousands(count)}`;
  const bars = { x: 'value', y: 'count', title } as const;
  const isFew = values.length <= MAX_BANDS;
  return draw(NARROW, {
    x: isFew ? { label, type: 'band', tickFormat: show } : { label, ticks: 6, inset: 6 },
    y: COUNTS,
    marks: [
      Plot.gridY({ ticks: 4, strokeOpacity: 0.15 }),
      isFew
        ? Plot.barY(values, { ...bars, fill: BAR })
        : Plot.ruleX(values, { ...bars, stroke: BAR, strokeWidth: 5 }),
      Plot.ruleY([0]),
    ],
  });
}

const MAX_BANDS = 11;

type Bin = NonNullable<NumberFigures['bins']>[number];

/** The outermost bins may reach far: they are drawn twice as wide as others at most. */
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

function bothWidths(options: () => Plot.PlotOptions): TwoWidths {
  return { wide: draw(WIDE, options()), narrow: draw(NARROW, options()) };
}

function draw(width: number, options: Plot.PlotOptions): string {
  const size = { width, height: HEIGHT, marginTop: 12, marginLeft: 42, marginRight: 20 };
  return String(Plot.plot({ document: chartDocument(), ...size, ...options }));
}

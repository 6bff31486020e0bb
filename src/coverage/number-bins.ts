/** How many numbers lie above `from`, or are it in the first bin, and up to `to`. */
export interface NumberBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Numbers of which only so much is known: how many there are, and between which two they lie. */
export type NumberRange = readonly [low: number, high: number, count: number];

const USUAL_BINS = 30;

/**
 * Bins of one width, a round number, where most numbers lie; what is rarer lies in one before them
 * and one behind them. All counts together are all numbers.
 * @param ranges in order
 * @param all the least and the largest number
 * @param most where nearly all lie: up to 34 bins come of it
 */
export function binsOf(
  ranges: readonly NumberRange[],
  [least, largest]: readonly [number, number],
  [from, to]: readonly [number, number],
): readonly NumberBin[] {
  const step = roundStep((to - from) / USUAL_BINS);
  const edges = [least];
  for (let at = Math.floor(from / step); at * step < Math.min(to, largest); at += 1) {
    const edge = Number((at * step).toPrecision(DIGITS));
    if (edge > least) edges.push(edge);
  }
  const last = Number((Math.ceil(to / step) * step).toPrecision(DIGITS));
  if (last > (edges.at(-1) as number) && last < largest) edges.push(last);
  edges.push(largest);
  const upTo = edges.map((edge, at) => (at === 0 ? 0 : countUpTo(ranges, edge)));
  return edges.slice(1).map((edge, at) => ({
    from: edges[at] as number,
    to: edge,
    count: (upTo[at + 1] as number) - (upTo[at] as number),
  }));
}

/** Steps add up to what has no end in binary digits. */
const DIGITS = 12;

/** 1, 2 or 5 times a power of ten. */
function roundStep(step: number): number {
  if (!(step > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(step));
  const times = [1, 2, 5].find((one) => one * power >= step) ?? 10;
  return times * power;
}

/** Within a range they are taken to be spread evenly. */
function countUpTo(ranges: readonly NumberRange[], number: number): number {
  let sum = 0;
  for (const [low, high, count] of ranges) {
    if (number >= high) sum += count;
    else if (number > low) sum += (count * (number - low)) / (high - low);
  }
  return Math.round(sum);
}

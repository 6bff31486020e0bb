/** How a whole column writes its ratings: its notations, its decimal mark, its scale. */
import { absentTexts, isPlaceholder } from './known-values.js';
import { type RatingNotation, type ReadRating, readRating, readVerdicts } from './ratings.js';

/** The ratings of a column that are written in one way. */
export interface RatingGroup {
  readonly notation: RatingNotation;
  readonly count: number;
  readonly least: number;
  readonly most: number;
  /** Share of the values that have decimals. */
  readonly decimals: number;
  /** Share of the values that are zero. */
  readonly zeros: number;
  /** `mixed`: both marks stand for decimals. */
  readonly mark: '.' | ',' | 'mixed';
  /** Whether all values are 2.5, 5, 7.5 or 10: four smileys. */
  readonly quarters: boolean;
}

/** What a column of ratings is like. */
export interface RatingColumn {
  /** Share of the values that are ratings in one of the groups. */
  readonly share: number;
  /** The most frequent first. */
  readonly groups: readonly RatingGroup[];
  /** How many different values there are. */
  readonly distinct: number;
  /** Texts that stand for "no rating". */
  readonly absent: readonly string[];
}

/** A notation that is rarer than this share is a slip. */
const RAREST = 0.004;
const MAX_GROUPS = 4;
/** Ratings enough to show where their scale ends. */
const MANY = 150;

/** Reads a column's values as ratings; nothing when hardly any is one. */
export function ratingColumn(texts: readonly string[]): RatingColumn | undefined {
  const read = texts.flatMap((text) => readRating(text) ?? []);
  const unread = texts.filter((text) => readRating(text) === undefined);
  const absent = absentTexts(unread);
  const stated = texts.length - unread.filter((text) => absent.includes(text)).length;
  const signs = absent.includes('-1') && read.every(({ value }) => value <= 1);
  if (read.length === 0 || read.length < stated / 2 || signs) return verdictColumn(texts);
  const grouped = new Map<string, ReadRating[]>();
  for (const rating of read) {
    const { name } = rating.notation;
    const group = grouped.get(name);
    if (group === undefined) grouped.set(name, [rating]);
    else group.push(rating);
  }
  const groups = [...grouped.values()]
    .filter((ratings) => ratings.length >= texts.length * RAREST && sayRating(ratings))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_GROUPS)
    .map(groupOf);
  const covered = groups.reduce((sum, { count }) => sum + count, 0);
  const distinct = new Set(read.map(({ value }) => value)).size;
  return { share: covered / stated, groups, distinct, absent };
}

/** Ratings in words. */
function verdictColumn(texts: readonly string[]): RatingColumn | undefined {
  const stated = texts.filter((text) => !isPlaceholder(text));
  const { ratings } = readVerdicts([...new Set(stated)]) ?? {};
  if (ratings === undefined) return undefined;
  const read = stated.map((text): ReadRating => {
    const value = ratings[text] ?? 0;
    const notation = { name: 'a verdict in words', highest: 5, values: ratings };
    return { notation, value, around: '', digits: String(value) };
  });
  const distinct = new Set(read.map(({ value }) => value)).size;
  return { share: 1, groups: [{ ...groupOf(read), least: 1, most: 5 }], distinct, absent: [] };
}

/** What stands around ratings repeats; what stands around the numbers of things does not. */
function sayRating(ratings: readonly ReadRating[]): boolean {
  if (ratings[0]?.notation.loose !== true) return true;
  const most = Math.max(...ratings.map(({ value }) => value));
  if (most > 10) return false;
  const around = new Set(ratings.map(({ around: words }) => words));
  return around.size <= Math.max(3, Math.min(12, ratings.length * 0.1));
}

function groupOf(ratings: readonly ReadRating[]): RatingGroup {
  const values = ratings.map(({ value }) => value).toSorted((a, b) => a - b);
  const [first] = ratings as readonly [ReadRating, ...ReadRating[]];
  const commas = ratings.some(({ digits }) => digits.includes(','));
  const points = ratings.some(({ digits }) => digits.includes('.'));
  const share = (test: (value: number) => boolean): number =>
    values.filter(test).length / values.length;
  return {
    notation: { ...first.notation, ...allValues(ratings) },
    count: ratings.length,
    least: quantile(values, 0),
    most: quantile(values, 1),
    decimals: share((value) => !Number.isInteger(value)),
    zeros: share((value) => value === 0),
    quarters: values.every((value) => value % 2.5 === 0),
    mark: commas && points ? 'mixed' : commas ? ',' : '.',
  };
}

/** The extreme value, but for the outermost of many: a slip or two are no part of the scale. */
function quantile(sorted: readonly number[], end: 0 | 1): number {
  const cut = Math.floor(sorted.length * 0.003);
  return (end === 0 ? sorted[cut] : sorted[sorted.length - 1 - cut]) ?? 0;
}

/** Texts that stand for numbers, of all ratings of a group. */
function allValues(ratings: readonly ReadRating[]): Pick<RatingNotation, 'values'> {
  const all = ratings.flatMap(({ notation }) => Object.entries(notation.values ?? {}));
  if (all.length === 0) return {};
  return { values: Object.fromEntries(all.toSorted(([, a], [, b]) => b - a)) };
}

/** The ends of a scale, and what speaks for it. */
export interface RatingScale {
  readonly lowest: number;
  readonly highest: number;
  /** Zeros stand for "not rated". */
  readonly zeroIsNone: boolean;
  /** Whether another scale would fit nearly as well. */
  readonly doubtful: boolean;
}

/**
 * The scale of a group: its highest number as the notation or the file says it, else the least of 5,
 * 10, 20 and 100 that holds its values.
 * @param highest what another column or the column's name says
 * @param nps whether the name says that it is the question how likely a recommendation is
 */
export function scaleOf(
  group: RatingGroup,
  { highest, nps }: { readonly highest?: number | undefined; readonly nps: boolean },
): RatingScale | undefined {
  const top = group.notation.highest ?? highest ?? (nps ? 10 : usualTop(group));
  if (top === undefined || group.most > top) return undefined;
  const sure = { highest: top, zeroIsNone: false, doubtful: false };
  if (top === 50) return { ...sure, lowest: 10 };
  if (nps && top === 10) return { ...sure, lowest: 0 };
  if (group.quarters && group.least === 2.5 && top === 10) return { ...sure, lowest: 2.5 };
  if (top >= 20) return { ...sure, lowest: 0, doubtful: top === 20 };
  return smallScale(group, top, highest !== undefined);
}

/** A scale up to 10: whether it starts at 0 or 1 is for the values to say. */
function smallScale(group: RatingGroup, highest: number, said: boolean): RatingScale {
  const fewZeros = group.zeros > 0 && group.zeros < 0.1;
  if (fewZeros && group.decimals === 0 && highest === 5) {
    return { lowest: 1, highest, zeroIsNone: true, doubtful: true };
  }
  const halves = group.least === 0.5 && highest === 5;
  const unusual = group.notation.highest === undefined && isUnusual(group) && !said;
  const lowest = group.least >= 1 ? 1 : halves ? 0.5 : 0;
  // Nothing shows that the scale goes beyond 6 or 7, as those of dice and of surveys don't.
  const short = highest === 10 && group.most <= 7 && !said;
  return {
    lowest,
    highest,
    zeroIsNone: false,
    doubtful:
      (group.count < 30 && highest === 10 && lowest === 1) ||
      short ||
      unusual ||
      lacksLow(group, highest, said),
  };
}

function usualTop(group: RatingGroup): number | undefined {
  if (isUnusual(group)) return group.most;
  return [5, 10, 20, 100].find((top) => group.most <= top);
}

/** Of many ratings from 0 or 1 to 10 some are below 2: where none is, they may count stars twice. */
function lacksLow(
  { least, count, notation }: RatingGroup,
  highest: number,
  said: boolean,
): boolean {
  return highest === 10 && !said && notation.highest === undefined && count >= ENOUGH && least >= 2;
}

/** Ratings enough to wonder where their scale begins. */
const ENOUGH = 20;

/** Among many ratings up to 10 some are above 7: where none is, the scale ends there. */
function isUnusual({ most, count }: RatingGroup): boolean {
  return (most === 6 || most === 7) && count >= MANY;
}

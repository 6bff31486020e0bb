/** Analyses a column of ratings: notations, decimal separator, scale. */
import { absentTexts, isPlaceholder } from './known-values.js';
import { type RatingNotation, type ReadRating, readRating, readVerdicts } from './ratings.js';

/** The ratings of a column in one notation. */
export interface RatingGroup {
  readonly notation: RatingNotation;
  readonly count: number;
  readonly least: number;
  /** The lowest value above zero. */
  readonly leastRated: number;
  readonly most: number;
  /** Share of the values that have decimals. */
  readonly decimals: number;
  /** Share of the values that are zero. */
  readonly zeros: number;
  /** Decimal separator. */
  readonly mark: '.' | ',';
  /** Whether all values are multiples of 2.5, as with four smileys from 2.5 to 10. */
  readonly quarters: boolean;
}

/** Analysis of a column of ratings. */
export interface RatingColumn {
  /** Share of the values that are ratings in one of the groups. */
  readonly share: number;
  /** Ratings by notation, the most frequent first. */
  readonly groups: readonly RatingGroup[];
  /** Number of different values. */
  readonly distinct: number;
  /** Texts that mean "no rating". */
  readonly absent: readonly string[];
  /** Ends of the scale, if the answer to a question states them. */
  readonly scale?: Pick<StatedScale, 'lowest' | 'highest'>;
}

/** Share of values below which a notation is taken for an error. */
const MIN_SHARE = 0.004;
const MAX_GROUPS = 4;

/** Analyses a column's values as ratings; `undefined` if fewer than half are ratings. */
export function ratingColumn(texts: readonly string[]): RatingColumn | undefined {
  const read = texts.flatMap((text) => readRating(text) ?? []);
  const unparsed = texts.filter((text) => readRating(text) === undefined);
  const absent = absentTexts(unparsed);
  const stated = texts.length - unparsed.filter((text) => absent.includes(text)).length;
  const most = Math.max(...read.map(({ value }) => value));
  const signs = absent.includes(`-${most}`);
  if (read.length === 0 || read.length < stated / 2 || signs) return verdictColumn(texts);
  const grouped = new Map<string, ReadRating[]>();
  for (const rating of read) {
    const { name } = rating.notation;
    const group = grouped.get(name);
    if (group === undefined) grouped.set(name, [rating]);
    else group.push(rating);
  }
  const groups = [...grouped.values()]
    .filter((ratings) => ratings.length >= texts.length * MIN_SHARE && looksLikeRatings(ratings))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_GROUPS)
    .map(ratingGroup);
  const covered = groups.reduce((sum, { count }) => sum + count, 0);
  const distinct = new Set(read.map(({ value }) => value)).size;
  return { share: covered / stated, groups, distinct, absent };
}

/** Analyses a column's values as ratings in words. A rare word among them may be unknown. */
function verdictColumn(texts: readonly string[]): RatingColumn | undefined {
  const stated = texts.filter((text) => !isPlaceholder(text));
  const { ratings } = readVerdicts([...new Set(stated)]) ?? {};
  if (ratings === undefined) return undefined;
  const read = stated.flatMap((text): readonly ReadRating[] => {
    const value = ratings[text];
    const notation = { name: 'verdicts in words', highest: 5, values: ratings };
    return value === undefined ? [] : [{ notation, value, around: '', digits: String(value) }];
  });
  const distinct = new Set(read.map(({ value }) => value)).size;
  const share = read.length / stated.length;
  const absent = [...new Set(stated.filter((text) => ratings[text] === undefined))];
  return { share, groups: [{ ...ratingGroup(read), least: 1, most: 5 }], distinct, absent };
}

/**
 * Returns whether numbers in words are ratings: the words around ratings repeat, those around other
 * numbers don't.
 */
function looksLikeRatings(ratings: readonly ReadRating[]): boolean {
  if (ratings[0]?.notation.loose !== true) return true;
  const most = Math.max(...ratings.map(({ value }) => value));
  if (most > 10) return false;
  const around = new Set(ratings.map(({ around: words }) => words));
  return around.size <= Math.max(3, Math.min(12, ratings.length * 0.1));
}

function ratingGroup(ratings: readonly ReadRating[]): RatingGroup {
  const values = ratings.map(({ value }) => value).toSorted((a, b) => a - b);
  const [first] = ratings as readonly [ReadRating, ...ReadRating[]];
  const commas = ratings.some(({ digits }) => digits.includes(','));
  const share = (test: (value: number) => boolean): number =>
    values.filter(test).length / values.length;
  return {
    notation: { ...first.notation, ...allValues(ratings) },
    count: ratings.length,
    least: quantile(values, 0),
    leastRated: values.find((value) => value > 0) ?? 0,
    most: quantile(values, 1),
    decimals: share((value) => !Number.isInteger(value)),
    zeros: share((value) => value === 0),
    quarters: values.every((value) => value % 2.5 === 0),
    mark: commas ? ',' : '.',
  };
}

/** Returns the lowest or highest value, ignoring the outermost 0.3% as errors. */
function quantile(sorted: readonly number[], end: 0 | 1): number {
  const cut = Math.floor(sorted.length * 0.003);
  return (end === 0 ? sorted[cut] : sorted[sorted.length - 1 - cut]) ?? 0;
}

/** Merges the texts that a group's notations map to numbers. */
function allValues(ratings: readonly ReadRating[]): Pick<RatingNotation, 'values'> {
  const all = ratings.flatMap(({ notation }) => Object.entries(notation.values ?? {}));
  if (all.length === 0) return {};
  return { values: Object.fromEntries(all.toSorted(([, a], [, b]) => b - a)) };
}

/** The ends of a scale. */
export interface RatingScale {
  readonly lowest: number;
  readonly highest: number;
  /** Whether 0 means "not rated". */
  readonly zeroIsNone: boolean;
  /** Ends of another scale that fits nearly as well. */
  readonly other?: readonly [lowest: number, highest: number];
}

/** A scale as stated by another column or the column's name. */
interface StatedScale {
  readonly lowest?: number | undefined;
  readonly highest?: number | undefined;
  /** Whether it is the Net Promoter question: how likely a recommendation is. */
  readonly nps: boolean;
}

const NUMBER_OF = /(?:^|\D)(?:of|von|sur|de|uit|z|max|\/)[\s_-]*(5|10|20|100)(?:\D|$)/iu;
const FROM_TO =
  /(?:^|\D)([01])\s*(?:\([^)]*\)\s*)?(?:-|–|—|_|to|bis|a|à|al|até|tot|až|do)\s*(\d{1,3})(?:\D|$)/iu;

/** `0 = not at all, 10 = very likely` */
const BOTH_ENDS = /(?:^|\D)([01])\s*[=:][^\d]{1,60}(?<!\d)(\d{1,3})\s*[=:]/u;

/** Returns the ends of the scale as far as the column's name states them: `Score (1-7)`. */
export function scaleInName(name: string): Pick<StatedScale, 'lowest' | 'highest'> {
  const [, from, to = NUMBER_OF.exec(name)?.[1]] = FROM_TO.exec(name) ?? BOTH_ENDS.exec(name) ?? [];
  const highest = Number(to);
  if (!(highest >= 3 && highest <= 100)) return {};
  return { highest, ...(from === undefined ? {} : { lowest: Number(from) }) };
}

/**
 * Finds the scale of a group. Its highest number is stated by the notation or the file, otherwise it is
 * the smallest of 5, 10, 20 and 100 that covers the values.
 */
export function scaleOf(
  group: RatingGroup,
  { lowest, highest, nps }: StatedScale,
): RatingScale | undefined {
  const top = group.notation.highest ?? highest ?? (nps ? 10 : usualTop(group));
  if (top === undefined || group.most > top) return undefined;
  const clear = { highest: top, zeroIsNone: false };
  if (top === 50) return { ...clear, lowest: 10 };
  if (nps && top === 10) return { ...clear, lowest: 0 };
  if (group.quarters && group.least === 2.5 && top === 10) return { ...clear, lowest: 2.5 };
  if (top >= 20) return { ...clear, lowest: 0, ...(top === 20 ? { other: [0, 100] } : {}) };
  return smallScale(group, top, { isStated: highest !== undefined, lowest });
}

/** Finds the scale up to 10 or less; the values decide whether it starts at 0 or 1. */
function smallScale(
  group: RatingGroup,
  highest: number,
  { isStated, lowest }: { readonly isStated: boolean; readonly lowest: number | undefined },
): RatingScale {
  if (group.zeros > 0 && highest === 5 && lowest !== 0) {
    const from = group.leastRated >= 1 ? 1 : 0.5;
    return { lowest: from, highest, zeroIsNone: true, other: [0, highest] };
  }
  const halves = group.least === 0.5 && highest === 5;
  const usual = group.least >= 1 ? 1 : halves ? 0.5 : 0;
  const start = lowest === undefined || lowest > group.least ? usual : lowest;
  const other = isStated ? undefined : otherScale(group, start, highest);
  return { lowest: start, highest, zeroIsNone: false, ...(other === undefined ? {} : { other }) };
}

/** Finds another scale that the values may be on; `undefined` if the usual one is clear. */
function otherScale(
  group: RatingGroup,
  lowest: number,
  highest: number,
): RatingScale['other'] | undefined {
  const { most, least, count, notation } = group;
  const isBare = notation.highest === undefined;
  // Some surveys have scales that end at 6 or 7.
  if (highest === 10 && most <= 7 && most > 5) return [lowest, most];
  // Stars may have been doubled.
  if (highest === 10 && isBare && count >= MIN_FOR_LACKS_LOW && least >= 2) return [2, 10];
  return count < MIN_FOR_SCALE && highest === 10 && lowest === 1 ? [0, 10] : undefined;
}

/** Number of ratings from which a missing low rating is suspicious. */
const MIN_FOR_LACKS_LOW = 20;
/** Number of ratings up to 10 below which the lowest one doesn't show whether the scale has a 0. */
const MIN_FOR_SCALE = 30;

function usualTop(group: RatingGroup): number | undefined {
  return [5, 10, 20, 100].find((top) => group.most <= top);
}

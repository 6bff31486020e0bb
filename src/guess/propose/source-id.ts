import { nameWords } from '../lexicon/name-concepts.js';
import type { ColumnProfile } from '../profile-column.js';
import { candidate, type Propose, type Table, weigh } from './candidate.js';

/** Proposes columns of ids: the review's own, and the one it replies to. */
export const proposeSourceId: Propose = (profile, table) => [
  ...candidate('sourceId', profile, idScore(profile, table)),
  ...(profile.concepts.has('parent') && profile.codes > 0.8
    ? candidate('parentSourceId', profile, weigh(profile, 'parentSourceId'))
    : []),
];

/** Number of records below which an id of another thing may happen to be unique. */
const FEW_RECORDS = 30;

/** Scores a column as the review's id: unique, except for reviews that occur several times in the export. */
function idScore(profile: ColumnProfile, { records, profiles }: Table): number {
  const overlaps = repeatsAgree(profile, profiles);
  if (!mayIdentify(profile, records, overlaps)) return 0;
  const name = weigh(profile, 'sourceId');
  const { codes, length, urls, distinctShare, column } = profile;
  const long = codes > 0.95 && length >= 8 ? 0.25 : 0.1;
  const unnamed = column.unnamed && codes > 0.95 && length >= 12 ? 0.25 : 0;
  const address = urls > 0.95 ? -0.15 : 0;
  const whole = distinctShare === 1 || overlaps ? 0.1 : 0;
  const other = profile.concepts.has('review') ? 0.03 : records < FEW_RECORDS ? 0.3 : 0.05;
  return (
    name -
    Math.min(1, profile.unknownWords) * other +
    (profile.isRowNumber ? ROW_NUMBER : 0) +
    long +
    unnamed +
    address +
    whole
  );
}

/** Returns whether the values are ids; under the name of one, any unique values are. */
function mayIdentify(profile: ColumnProfile, records: number, overlaps: boolean): boolean {
  if (isNamedId(profile) && profile.distinct === records) return true;
  return hasFewBlanks(profile) && looksLikeId(profile) && (overlaps || isUnique(profile));
}

/** Rows without an id that are tolerated, as they may be a second header or a total. */
const MAX_BLANK = 3;

function hasFewBlanks({ filledShare, filled, column }: ColumnProfile): boolean {
  const blank = column.texts.length - filled.length;
  return filledShare >= 0.999 || (blank <= MAX_BLANK && filledShare >= 0.98);
}

/** Repeated ids that are tolerated without checking that they are the same review. */
const MAX_REPEATS = 2;

function isUnique({ distinct, distinctShare, filled }: ColumnProfile): boolean {
  const few = filled.length >= FEW_RECORDS && filled.length - distinct <= MAX_REPEATS;
  return (distinctShare >= 0.97 || few) && filled.length >= 2;
}

function looksLikeId(profile: ColumnProfile): boolean {
  const { words, codes, integers, date, rating, concepts, column } = profile;
  if (words > 1.05 || (codes <= 0.95 && integers <= 0.99)) return false;
  // A timestamp may be unique, too.
  const named = concepts.has('id') || column.unnamed;
  if ((date?.share ?? 0) > 0.9 && (integers < 0.9 || !named)) return false;
  return !rating?.groups.some(({ decimals }) => decimals > 0);
}

/** Maximum mean number of words of ids: `REV 001`. */
const MAX_WORDS = 3;

/**
 * Returns whether a column's name means an id, or a review's id, and nothing else: `ref`, `Review
 * No`.
 */
export function isOnlyId({ concepts, unknownWords, words }: ColumnProfile): boolean {
  const others = [...concepts].filter((concept) => concept !== 'id' && concept !== 'review');
  return concepts.has('id') && others.length === 0 && unknownWords === 0 && words <= MAX_WORDS;
}

/**
 * Returns whether a column is called `id` or speaks of the review, and not `ref` or `no` of
 * whatever, unless it doesn't begin where a list of rows does.
 */
export function isNamedId(profile: ColumnProfile): boolean {
  const { name, filled, concepts } = profile;
  const isId = /^u?u?id$/u.test(nameWords(name).at(-1) ?? '') || Number(filled[0]) > 1;
  return isOnlyId(profile) && (isId || concepts.has('review'));
}

/** Penalty that excludes row numbers, which begin anew in the next export. */
const ROW_NUMBER = -1;

/** Minimum share of distinct ids: exports that overlap more are rare. */
const MIN_DISTINCT = 0.3;
/** Minimum share of repeats that agree; below 1, as reviews may be edited between exports. */
const MIN_AGREEMENT = 0.9;
/** Share of distinct values below which agreement may be chance. */
const MIN_DISTINCTIVE = 0.3;

/**
 * Returns whether records with the same id are the same review, as in overlapping exports: they
 * agree on author, date and rating. Other values, like counts of likes, may differ.
 */
export function repeatsAgree(ids: ColumnProfile, profiles: readonly ColumnProfile[]): boolean {
  if (ids.distinctShare < MIN_DISTINCT || ids.distinctShare === 1) return false;
  const pairs = repeatsOf(ids.column.texts);
  const others = profiles.filter((profile) => profile !== ids && profile.filled.length > 0);
  const agrees = ({ column: { texts } }: ColumnProfile): boolean =>
    pairs.filter(([first, again]) => texts[first] === texts[again]).length >=
    pairs.length * MIN_AGREEMENT;
  const kinds = [others.filter(isOfAuthor), others.filter(isDate), others.filter(isRating)];
  // One agreeing column of each kind is enough: another date may be that of the capture.
  if (!kinds.every((kind) => kind.length === 0 || kind.some(agrees))) return false;
  const distinctive = others.filter(
    (profile) =>
      profile.distinctShare >= MIN_DISTINCTIVE &&
      (isOfAuthor(profile) || isDate(profile) || profile.words > 6),
  );
  return distinctive.some(agrees);
}

/** Pairs each repeat with the first record of the same value, by index. */
function repeatsOf(texts: readonly (string | undefined)[]): readonly (readonly [number, number])[] {
  const firsts = new Map<string, number>();
  return texts.flatMap((text, index) => {
    if (text === undefined) return [];
    const first = firsts.get(text);
    if (first === undefined) firsts.set(text, index);
    return first === undefined ? [] : [[first, index] as const];
  });
}

function isOfAuthor({ concepts }: ColumnProfile): boolean {
  return concepts.has('author') && !concepts.has('count');
}

function isDate({ date }: ColumnProfile): boolean {
  return date !== undefined && date.share >= 0.9 && !date.relative;
}

function isRating({ concepts, rating }: ColumnProfile): boolean {
  return concepts.has('rating') && (rating?.share ?? 0) >= 0.9;
}

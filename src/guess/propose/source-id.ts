import type { ColumnProfile } from '../profile-column.js';
import { candidate, type Propose, type Table, weigh } from './candidate.js';

/** Proposes columns of ids: the review's own, and that of the review it replies to. */
export const proposeSourceId: Propose = (profile, table) => [
  ...candidate('sourceId', profile, idScore(profile, table)),
  ...(profile.concepts.has('parent') && profile.codes > 0.8
    ? candidate('parentSourceId', profile, weigh(profile, 'parentSourceId'))
    : []),
];

const FEW = 30;

/** An id has another value for each review, apart from records that stand twice in the export. */
function idScore(profile: ColumnProfile, { records, profiles }: Table): number {
  if (!isFull(profile) || !looksLikeId(profile)) return 0;
  const overlaps = repeatsAgree(profile, profiles);
  if (!overlaps && !isUnique(profile)) return 0;
  const name = weigh(profile, 'sourceId');
  const { codes, length, urls, distinctShare, column } = profile;
  const long = codes > 0.95 && length >= 8 ? 0.25 : 0.1;
  const unnamed = column.unnamed && codes > 0.95 && length >= 12 ? 0.25 : 0;
  const address = urls > 0.95 ? -0.15 : 0;
  const whole = distinctShare === 1 || overlaps ? 0.1 : 0;
  // Among few records the id of another thing may happen to differ in each.
  const other = profile.concepts.has('review') ? 0.03 : records < FEW ? 0.3 : 0.05;
  return (
    name -
    Math.min(1, profile.unknown) * other +
    counting(profile) +
    long +
    unnamed +
    address +
    whole
  );
}

/** A line or two without an id among hundreds are no reviews, such as a second header. */
const MAX_BLANK = 3;

function isFull({ filledShare, filled, column }: ColumnProfile): boolean {
  const blank = column.texts.length - filled.length;
  return filledShare >= 0.999 || (blank <= MAX_BLANK && filledShare >= 0.98);
}

/** Repeats that are borne whatever they hold: so many, or a share of all. */
const MAX_REPEATS = 2;

function isUnique({ distinct, distinctShare, filled }: ColumnProfile): boolean {
  const few = filled.length >= FEW && filled.length - distinct <= MAX_REPEATS;
  return (distinctShare >= 0.97 || few) && filled.length >= 2;
}

function looksLikeId({ words, codes, integers, date, rating }: ColumnProfile): boolean {
  if (words > 1.05 || (codes <= 0.95 && integers <= 0.99)) return false;
  if ((date?.share ?? 0) > 0.9 && integers < 0.9) return false;
  return !rating?.groups.some(({ decimals }) => decimals > 0);
}

/** Numbers of rows change from export to export, unless the name says that they are the review's. */
function counting({ counts, concepts }: ColumnProfile): number {
  if (!counts) return 0;
  return concepts.has('review') ? -0.2 : -0.7;
}

/** Exports that overlap by more are seldom put into one file. */
const MIN_DISTINCT = 0.3;
/** Share of the repeats that have to agree; a review may be edited between two exports. */
const AGREED = 0.9;
/** Below this share of different values, most values agree by chance. */
const TELLING = 0.3;

/**
 * Whether records that share a column's value are the same review, as where exports overlap: they
 * agree on its author, its date and its rating, whatever else has changed, as likes grow.
 */
export function repeatsAgree(ids: ColumnProfile, profiles: readonly ColumnProfile[]): boolean {
  if (ids.distinctShare < MIN_DISTINCT || ids.distinctShare === 1) return false;
  const pairs = repeatsOf(ids.column.texts);
  const others = profiles.filter((profile) => profile !== ids && profile.filled.length > 0);
  const agrees = ({ column: { texts } }: ColumnProfile): boolean =>
    pairs.filter(([first, again]) => texts[first] === texts[again]).length >= pairs.length * AGREED;
  const kinds = [others.filter(isOfAuthor), others.filter(isDate), others.filter(isRating)];
  // Of several dates one may be that of the capture: one that agrees will do.
  if (!kinds.every((kind) => kind.length === 0 || kind.some(agrees))) return false;
  const telling = others.filter(
    (profile) =>
      profile.distinctShare >= TELLING &&
      (isOfAuthor(profile) || isDate(profile) || isText(profile)),
  );
  return telling.some(agrees);
}

/** Each repeat with the first record of the same value, by their indexes. */
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

function isText({ words }: ColumnProfile): boolean {
  return words > 6;
}

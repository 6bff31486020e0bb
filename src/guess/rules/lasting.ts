/** Which columns can identify a review: those that hold the same for it in every export. */
import { type Concept, hasAny } from '../lexicon/name-concepts.js';
import type { ColumnProfile } from '../profile-column.js';

/** Concepts of numbers that grow, or that depend on where the review is listed. */
const GROWING: readonly Concept[] = [
  ...(['likes', 'dislikes', 'comments', 'shares', 'count', 'row', 'url'] as const),
];

/** Minimum share of values of a kind. */
const MIN_SHARE = 0.9;

/**
 * Returns why a column may differ for the same review in the next export, as a predicate, so that an
 * id made of it would import the review again; `undefined` if nothing shows that.
 */
export function unstableReason(profile: ColumnProfile): string | undefined {
  const { concepts, date, isRowNumber, booleans } = profile;
  const isDate = (date?.share ?? 0) >= MIN_SHARE;
  if (isRowNumber) return 'only numbers the rows of this export';
  if (date?.relative === true) return 'counts back from the day of the export';
  if (concepts.has('scraped') && !concepts.has('experience')) return 'is about the export';
  if (concepts.has('updated') && (isDate || booleans >= MIN_SHARE)) {
    return 'changes when a review is edited';
  }
  if (isOfReply(profile)) return 'belongs to a reply, which may come later';
  return isNumber(profile) && !isDate && !concepts.has('id') && hasAny(profile, GROWING)
    ? 'changes from export to export'
    : undefined;
}

/** Maximum number of different words for zero in a column of numbers: `None`, `-`. */
const MAX_ZEROS = 2;

/** `1,234`, `1.2K` and `3 people found this helpful`, also among words for zero, but not `W-3`. */
function isNumber({ filled, numbers, codes }: ColumnProfile): boolean {
  const isOneNumber = /^\D{0,50}\d+(?:[.,]\d+)*\D{0,50}$/u;
  const stated = filled.filter((text) => /\d/u.test(text));
  const zeros = new Set(filled.filter((text) => !/\d/u.test(text)));
  if (stated.length === 0) return false;
  const least = MIN_SHARE * (zeros.size > MAX_ZEROS ? 1 : stated.length / filled.length);
  const counted = stated.filter((text) => isOneNumber.test(text)).length / filled.length;
  return numbers >= least || (counted >= least && codes < least);
}

/** A property may be the reviewed thing, and an answer the review. */
export function isOfReply({ concepts }: ColumnProfile): boolean {
  return concepts.has('reply') && !concepts.has('place') && !concepts.has('review');
}

/**
 * Returns whether a column without a role may tell reviews apart that have all else in common. What
 * isn't known to last is left out: other dates and numbers, flags, links.
 */
export function mayTellApart(profile: ColumnProfile): boolean {
  const { column, concepts, distinct, date, booleans, urls } = profile;
  if (column.list || distinct < 2 || unstableReason(profile) !== undefined) return false;
  if (hasAny(profile, ['flag', 'status', 'image', 'average', 'processed'])) return false;
  if (date !== undefined || booleans >= MIN_SHARE || (urls >= MIN_SHARE && !concepts.has('url')))
    return false;
  return !isNumber(profile) || hasAny(profile, ['id', 'opinion']);
}

import type { ColumnProfile } from '../profile-column.js';

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

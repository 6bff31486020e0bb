import type { ColumnProfile } from '../profile-column.js';
import { candidate, type Propose, weigh } from './candidate.js';

/** Proposes columns of ids: the review's own, and that of the review it replies to. */
export const proposeSourceId: Propose = (profile, { records }) => [
  ...candidate('sourceId', profile, idScore(profile, records)),
  ...(profile.concepts.has('parent') && profile.codes > 0.8
    ? candidate('parentSourceId', profile, weigh(profile, { parent: 0.7, place: -0.5 }))
    : []),
];

const FEW = 30;

/** An id has another value for each review, apart from records that stand twice in the export. */
function idScore(profile: ColumnProfile, records: number): number {
  if (!isUnique(profile) || !looksLikeId(profile)) return 0;
  const name = weigh(profile, {
    id: 0.4,
    review: 0.3,
    url: -0.05,
    place: -0.45,
    author: -0.5,
    // What each record has is no reply's: surveys call what they get responses.
    reply: -0.1,
    experience: -0.2,
    email: -0.5,
    parent: -0.6,
    row: -0.5,
    count: -0.6,
    image: -0.9,
    date: -0.5,
  });
  const { codes, length, urls, distinctShare, column } = profile;
  const long = codes > 0.95 && length >= 8 ? 0.25 : 0.1;
  const unnamed = column.unnamed && codes > 0.95 && length >= 12 ? 0.25 : 0;
  const address = urls > 0.95 ? -0.15 : 0;
  const whole = distinctShare === 1 ? 0.1 : 0;
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
const MOST_BLANK = 3;

function isUnique({ filledShare, distinctShare, filled, column }: ColumnProfile): boolean {
  const blank = column.texts.length - filled.length;
  const full = filledShare >= 0.999 || (blank <= MOST_BLANK && filledShare >= 0.98);
  return full && distinctShare >= 0.97 && filled.length >= 2;
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

import type { ColumnProfile } from '../profile-column.js';
import { candidate, type Propose, weigh } from './candidate.js';

/** Proposes columns of ids: the review's own, and that of the review it replies to. */
export const proposeSourceId: Propose = (profile) => [
  ...candidate('sourceId', profile, idScore(profile)),
  ...(profile.concepts.has('parent') && profile.codes > 0.8
    ? candidate('parentSourceId', profile, weigh(profile, { parent: 0.7, place: -0.5 }))
    : []),
];

/** An id has another value for each review, apart from records that stand twice in the export. */
function idScore(profile: ColumnProfile): number {
  const { filledShare, distinctShare, words, codes, integers, urls, rating, date, counts } =
    profile;
  if (filledShare < 0.999 || distinctShare < 0.97 || words > 1.05 || profile.filled.length < 2) {
    return 0;
  }
  const looksLikeId = codes > 0.95 || integers > 0.99;
  if (!looksLikeId || ((date?.share ?? 0) > 0.9 && integers < 0.9)) return 0;
  if (rating !== undefined && rating.groups.some(({ decimals }) => decimals > 0)) return 0;
  const name = weigh(profile, {
    id: 0.4,
    review: 0.3,
    url: -0.05,
    place: -0.45,
    author: -0.5,
    reply: -0.6,
    parent: -0.6,
    row: -0.5,
    count: -0.3,
    image: -0.9,
    date: -0.5,
  });
  const review = profile.concepts.has('review');
  const counting = counts ? (review ? -0.2 : -0.7) : 0;
  const long = codes > 0.95 && profile.length >= 8 ? 0.25 : 0.1;
  const unnamed = profile.column.unnamed && codes > 0.95 && profile.length >= 12 ? 0.25 : 0;
  const address = urls > 0.95 ? -0.15 : 0;
  return name + counting + long + unnamed + address + (distinctShare === 1 ? 0.1 : 0);
}

import { isPlaceholder, recommends, sentimentOf } from '../notations/known-values.js';
import type { RatingColumn, RatingGroup } from '../notations/rating-column.js';
import type { ColumnProfile } from '../profile-column.js';
import {
  type Candidate,
  candidate,
  describesThing,
  type Propose,
  type Table,
  weigh,
} from './candidate.js';

/** Proposes columns of ratings, aspects, recommendations and sentiments. */
export const proposeScore: Propose = (profile, table) => [
  ...scoreCandidate(profile, table),
  ...highestCandidate(profile),
  ...recommendedCandidate(profile),
  ...sentimentCandidate(profile),
];

/** Minimum number of equal decimals that are an average, if the file is about one thing only. */
const MIN_EQUAL = 3;

/**
 * Returns whether decimals are equal in all reviews of a thing: the average of its ratings, not a
 * rating.
 */
export function isAverage(profile: ColumnProfile, table: Pick<Table, 'profiles'>): boolean {
  const { rating, distinct, filled } = profile;
  if (!rating?.groups.some(({ decimals }) => decimals > 0)) return false;
  return distinct === 1 ? filled.length >= MIN_EQUAL : describesThing(profile, table);
}

function scoreCandidate(profile: ColumnProfile, table: Table): readonly Candidate[] {
  const { rating, concepts, filledShare, distinct } = profile;
  if (rating === undefined || rating.share < 0.9 || isAverage(profile, table)) return [];
  const most = Math.max(...rating.groups.map((group) => group.most));
  const isShare = most <= 1 && rating.groups.some(({ decimals }) => decimals > 0);
  if (most > 100 || isShare) return [];
  const name = weigh(profile, 'score', { best: distinct === 1 ? -0.5 : 0 });
  const review = concepts.has('review') ? (concepts.has('rating') ? 0.15 : 0.2) : 0;
  const aspect = concepts.has('aspect') ? (concepts.has('rating') ? -0.35 : -0.6) : 0;
  const score = name + review + aspect + valueScore(profile, most) + filledShare * 0.1;
  const aspects =
    concepts.has('aspect') && aspect < 0 && (most <= 10 || rating.groups.some(isUnmistakable))
      ? candidate('aspect', profile, weigh(profile, 'aspect'))
      : [];
  return [...candidate('score', profile, score), ...aspects];
}

/** Scores the values alone: notations that only ratings have, and the usual scales. */
function valueScore({ rating, date, codes, concepts }: ColumnProfile, most: number): number {
  if (rating === undefined || (date?.share ?? 0) > 0.9) return -0.3;
  const { groups } = rating;
  if (groups.some(isUnmistakable)) return concepts.has('recommend') ? 0.3 : 0.45;
  return codes > 0.9 ? -0.3 : scaleScore(rating, most);
}

/** Scores how usual the scale of bare numbers is. */
function scaleScore({ groups, distinct }: RatingColumn, most: number): number {
  const least = Math.min(...groups.map((group) => group.least));
  if (most <= 5 && least >= 0 && distinct >= 3) return least >= 0.5 ? 0.28 : 0.1;
  if (most <= 10 && most > 5 && distinct >= 4) return 0.25;
  return distinct >= 3 ? 0.03 : -0.1;
}

/** Returns whether only ratings are written in this notation. */
function isUnmistakable({ notation }: RatingGroup): boolean {
  if (notation.shares) return false;
  return notation.highest !== undefined || notation.values !== undefined;
}

/** Proposes a constant column as the highest number of the scale, which some exports state with each rating. */
function highestCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { concepts, distinct, integers, filled } = profile;
  if (!concepts.has('best') || distinct !== 1 || integers < 1) return [];
  const value = Number(filled[0]);
  return value >= 3 && value <= 100 ? candidate('highest', profile, 0.9) : [];
}

/** Proposes a column of thumbs up and down, in signs, words or numbers. */
function recommendedCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { concepts } = profile;
  if (sidesOf(profile).size !== 2) return [];
  if (profile.sides === undefined && !concepts.has('recommend')) return [];
  const name = weigh(profile, 'recommended');
  return candidate('recommended', profile, (concepts.has('recommend') ? 0.8 : 0.7) + name);
}

/** Returns for each text of a two-sided column whether it is the good one; empty for other columns. */
export function sidesOf({ sides, distinct, filled }: ColumnProfile): ReadonlyMap<string, boolean> {
  if (sides !== undefined) return sides;
  const texts = distinct > 4 ? [] : [...new Set(filled)];
  const found = texts.map((text) => [text, recommends(text)] as const);
  const known = found.flatMap(([text, good]) =>
    good === undefined ? [] : [[text, good] as const],
  );
  return known.length === texts.length && new Set(known.map(([, good]) => good)).size === 2
    ? new Map(known)
    : new Map();
}

/** Proposes a column that states the sentiment: in words of some language, or as signs or flags under such a name. */
function sentimentCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { concepts, distinct } = profile;
  if (distinct < 2 || sentimentNotation(profile) === undefined) return [];
  return candidate('sentiment', profile, concepts.has('sentiment') ? 0.9 : 0.7);
}

/** Notations of the sentiment in a column. */
export type SentimentNotation = 'words' | 'signs' | 'flags';

/** Share of the values that have to be in the notation. */
const MIN_STATED = 0.98;

/** Finds out how a column states the sentiment; `undefined` if it doesn't. */
export function sentimentNotation({
  filled,
  concepts,
}: ColumnProfile): SentimentNotation | undefined {
  const stated = filled.filter((text) => !isPlaceholder(text));
  const all = (test: (text: string) => boolean): boolean =>
    stated.length > 0 && stated.filter(test).length >= stated.length * MIN_STATED;
  if (all((text) => sentimentOf(text) !== undefined)) return 'words';
  const praise = concepts.has('positive') && !concepts.has('negative');
  if (!concepts.has('sentiment') && !praise) return undefined;
  const values = new Set(stated.map(Number));
  if (all((text) => /^[+-]?[01](?:\.0+)?$/u.test(text))) return values.has(-1) ? 'signs' : 'flags';
  return all((text) => /^(?:true|false)$/iu.test(text)) ? 'flags' : undefined;
}

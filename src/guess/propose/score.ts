import type { ColumnProfile } from '../profile-column.js';
import { type Candidate, candidate, type Propose, weigh } from './candidate.js';

/** Proposes columns of ratings, of parts of a rating, and of recommendations. */
export const proposeScore: Propose = (profile) => [
  ...scoreCandidate(profile),
  ...highestCandidate(profile),
  ...recommendedCandidate(profile),
  ...sentimentCandidate(profile),
];

function scoreCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { rating, concepts, filledShare } = profile;
  if (rating === undefined || rating.share < 0.9) return [];
  const most = Math.max(...rating.groups.map((group) => group.most));
  if (most > 100) return [];
  const name = weigh(profile, {
    rating: 0.5,
    recommend: 0.35,
    likes: -0.4,
    dislikes: -0.4,
    count: -0.4,
    average: -0.5,
    place: -0.15,
    id: -0.6,
    row: -0.5,
    date: -0.4,
    best: -0.5,
    version: -0.7,
    reply: -0.4,
    comments: -0.3,
    sentiment: -0.2,
  });
  const review = concepts.has('review') ? (concepts.has('rating') ? 0.15 : 0.2) : 0;
  const aspect = concepts.has('aspect') ? (concepts.has('rating') ? -0.35 : -0.6) : 0;
  const score = name + review + aspect + valueScore(profile, most) + filledShare * 0.1;
  const aspects = concepts.has('aspect') && aspect < 0 ? aspectCandidate(profile) : [];
  return [...candidate('score', profile, score), ...aspects];
}

/** What the values alone say: signs that only ratings have, and the usual scales. */
function valueScore({ rating, date, codes }: ColumnProfile, most: number): number {
  if (rating === undefined || (date?.share ?? 0) > 0.9 || codes > 0.9) return -0.3;
  const { groups, distinct } = rating;
  const telling = groups.some(({ notation }) => notation.highest !== undefined || notation.values);
  if (telling) return 0.45;
  const least = Math.min(...groups.map((group) => group.least));
  if (most <= 5 && least >= 0 && distinct >= 3) return least >= 0.5 ? 0.28 : 0.1;
  if (most <= 10 && most > 5 && distinct >= 4) return 0.22;
  return distinct >= 3 ? 0.03 : -0.1;
}

function aspectCandidate(profile: ColumnProfile): readonly Candidate[] {
  const name = weigh(profile, {
    aspect: 0.6,
    rating: 0.1,
    count: -0.5,
    id: -0.5,
    likes: -0.3,
    average: -0.4,
  });
  return candidate('aspect', profile, name);
}

/** The highest number of the scale, which some exports state beside each rating. */
function highestCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { concepts, distinct, integers, filled } = profile;
  if (!concepts.has('best') || distinct !== 1 || integers < 1) return [];
  const value = Number(filled[0]);
  return value >= 3 && value <= 100 ? candidate('highest', profile, 0.9) : [];
}

function recommendedCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { concepts, distinct, booleans, rating } = profile;
  if (!concepts.has('recommend') || distinct !== 2) return [];
  const binary = booleans > 0.98 || rating?.groups.every(({ most }) => most <= 1) === true;
  const words = profile.filled.every((text) => /recommend/iu.test(text));
  return binary || words ? candidate('recommended', profile, 0.8) : [];
}

function sentimentCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { filled, concepts } = profile;
  const known = filled.filter((text) => SENTIMENTS.some(([pattern]) => pattern.test(text)));
  if (known.length < filled.length * 0.98 || filled.length === 0) return [];
  return candidate('sentiment', profile, concepts.has('sentiment') ? 0.9 : 0.5);
}

/** Words for the three sentiments, in the seven languages. */
export const SENTIMENTS: readonly (readonly [RegExp, 'B' | 'N' | 'R'])[] = [
  [/^(?:positive?|pos|positiv[aoe]?|positif|positivní|pozitivní)$/iu, 'B'],
  [/^(?:neutral|neutro|neutre|neutraal|neutrální|neu|mixed)$/iu, 'N'],
  [/^(?:negative?|neg|negativ[aoe]?|négatif|negatief|negativní)$/iu, 'R'],
];

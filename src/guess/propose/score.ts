import type { RatingColumn, RatingGroup } from '../notations/rating-column.js';
import type { ColumnProfile } from '../profile-column.js';
import { type Candidate, candidate, type Propose, weigh } from './candidate.js';

/** Proposes columns of ratings, aspects, recommendations and sentiments. */
export const proposeScore: Propose = (profile) => [
  ...scoreCandidate(profile),
  ...highestCandidate(profile),
  ...recommendedCandidate(profile),
  ...sentimentCandidate(profile),
];

function scoreCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { rating, concepts, filledShare, distinct } = profile;
  if (rating === undefined || rating.share < 0.9) return [];
  const most = Math.max(...rating.groups.map((group) => group.most));
  if (most > 100) return [];
  const name = weigh(profile, 'score', { best: distinct === 1 ? -0.5 : 0 });
  const review = concepts.has('review') ? (concepts.has('rating') ? 0.15 : 0.2) : 0;
  const aspect = concepts.has('aspect') ? (concepts.has('rating') ? -0.35 : -0.6) : 0;
  const score = name + review + aspect + valueScore(profile, most) + filledShare * 0.1;
  const aspects =
    concepts.has('aspect') && aspect < 0
      ? candidate('aspect', profile, weigh(profile, 'aspect'))
      : [];
  return [...candidate('score', profile, score), ...aspects];
}

/** Scores the values alone: notations that only ratings have, and the usual scales. */
function valueScore(
  { rating, date, codes, concepts, column }: ColumnProfile,
  most: number,
): number {
  if (rating === undefined || (date?.share ?? 0) > 0.9) return -0.3;
  const { groups } = rating;
  if (groups.some(isUnmistakable)) return concepts.has('recommend') ? 0.3 : 0.45;
  return codes > 0.9 ? -0.3 : scaleScore(rating, most, column.unnamed);
}

/** Scores how usual the scale of bare numbers is. */
function scaleScore({ groups, distinct }: RatingColumn, most: number, unnamed: boolean): number {
  const least = Math.min(...groups.map((group) => group.least));
  if (most <= 5 && least >= 0 && distinct >= 3) return least >= 0.5 ? 0.28 : 0.1;
  if (most <= 10 && most > 5 && distinct >= 4) return unnamed ? 0.27 : 0.22;
  return distinct >= 3 ? 0.03 : -0.1;
}

/** Whether only ratings are written in this notation. */
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
  if (profile.sides === undefined && !concepts.has('recommend')) {
    const signed =
      profile.filled.includes('-1') && (concepts.has('rating') || concepts.has('likes'));
    return signed ? candidate('recommended', profile, 0.6) : [];
  }
  const name = weigh(profile, 'recommended');
  return candidate('recommended', profile, (concepts.has('recommend') ? 0.8 : 0.7) + name);
}

const NO =
  /^(?:false|no|nein|non|n[aã]o|nee|ne|n|f|-?0(?:\.0)?|-1|not\b.*|.*\bnot recommended.*)$/iu;
const YES = /^(?:true|yes|ja|oui|si|sí|sim|ano|y|t|1(?:\.0)?|recommend.*|.*\brecommended.*)$/iu;

/** Returns for each text of a two-sided column whether it is the good one; empty for other columns. */
export function sidesOf({ sides, distinct, filled }: ColumnProfile): ReadonlyMap<string, boolean> {
  if (sides !== undefined) return sides;
  const texts = distinct > 4 ? [] : [...new Set(filled)];
  const sidesByText = new Map(texts.map((text) => [text, !NO.test(text)]));
  const known = texts.every((text) => NO.test(text) || YES.test(text));
  return known && new Set(sidesByText.values()).size === 2 ? sidesByText : new Map();
}

function sentimentCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { filled, concepts } = profile;
  const known = filled.filter((text) => SENTIMENTS.some(([pattern]) => pattern.test(text)));
  if (known.length < filled.length * 0.98 || profile.distinct < 2) return [];
  return candidate('sentiment', profile, concepts.has('sentiment') ? 0.9 : 0.7);
}

/** Words for the three sentiments, in the service's seven languages. */
export const SENTIMENTS: readonly (readonly [RegExp, 'B' | 'N' | 'R'])[] = [
  [/^(?:positive?|pos|positiv[aoe]?|positif|positivní|pozitivní|promoter)$/iu, 'B'],
  [/^(?:neutral|neutro|neutre|neutraal|neutrální|neu|mixed|passive)$/iu, 'N'],
  [/^(?:negative?|neg|negativ[aoe]?|négatif|negatief|negativní|detractor)$/iu, 'R'],
];

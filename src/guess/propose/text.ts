import type { ColumnProfile } from '../profile-column.js';
import { type Candidate, candidate, type Propose, type Table, weigh } from './candidate.js';

/** Proposes columns of words: the review, its title, what was liked and what was not. */
export const proposeText: Propose = (profile, table) => {
  if (!isWords(profile)) return [];
  return [
    ...candidate('text', profile, textScore(profile, table)),
    ...titleCandidate(profile, table),
    ...sideCandidates(profile),
  ];
};

/** Whether a column holds words, and not ids, numbers, dates or addresses. */
export function isWords(profile: ColumnProfile): boolean {
  const { filled, rating, date, urls, emails, booleans } = profile;
  if (filled.length === 0 || urls > 0.3 || emails > 0.3 || booleans > 0.9) return false;
  return (rating?.share ?? 0) < 0.7 && (date?.share ?? 0) < 0.7;
}

function textScore(profile: ColumnProfile, { longestText }: Table): number {
  const { words, length, distinctShare, concepts } = profile;
  if (words < 1.5 && !concepts.has('text')) return 0;
  const name = weigh(profile, {
    text: 0.4,
    review: 0.3,
    title: -0.35,
    reply: -0.7,
    author: -0.3,
    place: -0.15,
    description: -0.1,
    processed: -0.35,
    original: 0.1,
    tag: -0.2,
    positive: -0.45,
    negative: -0.45,
    country: -0.5,
    city: -0.5,
    name: -0.3,
    count: -0.2,
    experience: -0.05,
  });
  const long = 0.5 * Math.min(1, length / Math.max(1, longestText));
  const varied = distinctShare > 0.5 ? 0.15 : distinctShare > 0.1 ? 0 : -0.5;
  return name + long + varied + (words > 6 ? 0.1 : 0);
}

function titleCandidate(profile: ColumnProfile, { longestText }: Table): readonly Candidate[] {
  const { concepts, distinctShare, length } = profile;
  if (!concepts.has('title') || length > Math.max(80, longestText * 0.8)) return [];
  const name = weigh(profile, {
    title: 0.6,
    review: 0.15,
    reply: -0.7,
    place: -0.35,
    author: -0.3,
    processed: -0.35,
  });
  return candidate('title', profile, name + (distinctShare > 0.3 ? 0.15 : -0.45));
}

function sideCandidates(profile: ColumnProfile): readonly Candidate[] {
  const { concepts, words, distinctShare } = profile;
  const positive = concepts.has('positive');
  const negative = concepts.has('negative');
  if (positive === negative || words < 1.5 || distinctShare < 0.1) return [];
  const rest = weigh(profile, {
    reply: -0.7,
    count: -0.8,
    processed: -0.3,
    likes: -0.05,
    text: 0.05,
    review: 0.1,
  });
  const score = 0.7 + rest + (words > 3 ? 0.1 : 0);
  return candidate(positive ? 'positive' : 'negative', profile, score);
}

/** What columns are proposed for: a role each, with a score and what speaks for it. */
import type { Concept } from '../lexicon/concepts.js';
import type { ColumnProfile } from '../profile-column.js';

/** What a column can be for a review. */
export type Role =
  | 'text'
  | 'title'
  | 'positive'
  | 'negative'
  | 'score'
  | 'highest'
  | 'recommended'
  | 'sentiment'
  | 'published'
  | 'downloaded'
  | 'experienced'
  | 'sourceId'
  | 'parentSourceId'
  | 'username'
  | 'authorId'
  | 'language'
  | 'url'
  | 'country'
  | 'region'
  | 'city'
  | 'lives'
  | 'place'
  | 'placeId'
  | 'likes'
  | 'comments'
  | 'shares'
  | 'aspect'
  | 'tags';

/** A column for a role. */
export interface Candidate {
  readonly role: Role;
  readonly profile: ColumnProfile;
  /** From 0 to about 1; below {@link LEAST_SCORE} it is no candidate. */
  readonly score: number;
}

/** What proposals know beside the column. */
export interface Table {
  readonly profiles: readonly ColumnProfile[];
  /** Number of sampled records. */
  readonly records: number;
  /** Mean length of the longest column of free text. */
  readonly longestText: number;
}

/** Proposes a column for the roles that a file of this folder knows. */
export type Propose = (profile: ColumnProfile, table: Table) => readonly Candidate[];

/** See {@link Candidate}. */
export const LEAST_SCORE = 0.35;

/** A candidate, if its score is high enough. */
export function candidate(role: Role, profile: ColumnProfile, score: number): readonly Candidate[] {
  return score < LEAST_SCORE ? [] : [{ role, profile, score }];
}

/** Adds up what each concept of the name weighs. */
export function weigh(
  { concepts }: ColumnProfile,
  weights: Readonly<Partial<Record<Concept, number>>>,
): number {
  let sum = 0;
  for (const [concept, weight] of Object.entries(weights)) {
    if (concepts.has(concept as Concept)) sum += weight;
  }
  return sum;
}

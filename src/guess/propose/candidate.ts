/** What columns are proposed for: a role each, with a score and what speaks for it. */
import type { Concept } from '../lexicon/name-concepts.js';
import type { ColumnProfile } from '../profile-column.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WEIGHTS from './weights.json' with { type: 'json' };

/** What a column can be for a review. */
export type Role =
  | 'text'
  | 'title'
  | 'positive'
  | 'negative'
  | 'answer'
  | 'score'
  | 'highest'
  | 'recommended'
  | 'sentiment'
  | 'published'
  | 'clock'
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
  /** From 0 to about 1; below {@link MIN_SCORE} it is no candidate. */
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

/** From this share on a column holds to what another one says. */
const DETERMINED = 0.98;

/**
 * Whether a column says something about the thing that is reviewed (its name, when it was listed),
 * and not about the review: it always has the same value where another column, of which the values
 * repeat, has.
 */
export function isOfThing(
  { column, distinct, distinctShare }: ColumnProfile,
  table: Table,
): boolean {
  if (distinctShare > 0.4) return false;
  return table.profiles.some((other) => {
    if (other.column === column || other.distinct < 2 || other.distinctShare > 0.4) return false;
    return other.distinct >= distinct && determines(other.column.texts, column.texts, distinct);
  });
}

/** Whether the values of one column follow from those of another that repeat. */
function determines(
  keys: readonly (string | undefined)[],
  values: readonly (string | undefined)[],
  distinct: number,
): boolean {
  const first = new Map<string, string>();
  const counts = { repeated: 0, same: 0 };
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (key === undefined || value === undefined) continue;
    const known = first.get(key);
    if (known === undefined) first.set(key, value);
    else {
      counts.repeated += 1;
      counts.same += Number(known === value);
    }
  }
  const told = counts.repeated >= Math.max(3, distinct);
  return told && counts.same >= counts.repeated * DETERMINED;
}

/** See {@link Candidate}. */
const MIN_SCORE = 0.35;

/** A candidate, if its score is high enough. */
export function candidate(role: Role, profile: ColumnProfile, score: number): readonly Candidate[] {
  return score < MIN_SCORE ? [] : [{ role, profile, score }];
}

type Weights = Readonly<Partial<Record<Concept, number>>>;

/**
 * Adds up what the concepts of a column's name say for a role (above 0) or against it, by `weights.json`.
 * @param others weights that depend on the column's values
 */
export function weigh(
  { concepts }: ColumnProfile,
  role: keyof typeof WEIGHTS,
  others: Weights = {},
): number {
  const weights: Weights = { ...WEIGHTS[role], ...others };
  return [...concepts].reduce((sum, concept) => sum + (weights[concept] ?? 0), 0);
}

/** Roles of columns, candidates for them, and helpers for scoring. */
import { type Concept, hasAny, keysOf } from '../lexicon/name-concepts.js';
import type { ColumnProfile } from '../profile-column.js';
import { frequencies } from '../ranking.js';
import type { Role } from './roles.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WEIGHTS from './weights.json' with { type: 'json' };

const WEIGHED_ROLES = keysOf(WEIGHTS);

/** A column proposed for a role. */
export interface Candidate {
  readonly role: Role;
  readonly profile: ColumnProfile;
  /** From {@link MIN_SCORE} to about 1; less after a penalty for damaged texts. */
  readonly score: number;
}

/** Facts about all columns, for proposals. */
export interface Table {
  readonly profiles: readonly ColumnProfile[];
  /** Number of sampled records. */
  readonly records: number;
  /** Mean length of values in the column with the longest texts, in characters. */
  readonly longestText: number;
  /** Whether one person rated many things, as columns like `My Rating` show: names and titles are the things'. */
  readonly oneAuthor: boolean;
}

/** Proposes a column for some roles; none if it doesn't qualify. */
export type Propose = (profile: ColumnProfile, table: Table) => readonly Candidate[];

/** Share of agreeing values from which one column determines another. */
const MIN_AGREEMENT = 0.98;

/** Returns whether a column describes the reviewed thing instead of the review. */
export function describesThing(profile: ColumnProfile, table: Pick<Table, 'profiles'>): boolean {
  return thingOf(profile, table) !== undefined;
}

/**
 * Finds the column of the reviewed thing that a column describes (its name, when it was listed): one
 * with repeated values, which determine those of the column.
 */
export function thingOf(
  { column, distinct, distinctShare }: ColumnProfile,
  table: Pick<Table, 'profiles'>,
): ColumnProfile | undefined {
  if (distinctShare > 0.4) return undefined;
  return table.profiles.find((other) => {
    if (other.column === column || other.distinct < 2 || other.distinctShare > 0.4) return false;
    if (isOfReview(other) || isOfPerson(other)) return false;
    return other.distinct >= distinct && determines(other.column.texts, column.texts, distinct);
  });
}

function isOfPerson({ concepts, emails }: ColumnProfile): boolean {
  return concepts.has('author') || concepts.has('email') || emails > 0.3;
}

/** Returns whether a column is the review's own rating or date, from which other columns may follow. */
function isOfReview(profile: ColumnProfile): boolean {
  const { concepts, date } = profile;
  return (hasAny(profile, 'opinion') && !concepts.has('id')) || (date?.share ?? 0) > 0.9;
}

/** Returns whether the values of one column follow from the repeated values of another, and not by chance. */
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
  const { repeated, same } = counts;
  const byChance = equalShare(values);
  const isChance = byChance ** repeated > MAX_CHANCE;
  const least = byChance + (1 - byChance) * MIN_AGREEMENT;
  return repeated >= Math.max(3, distinct) && !isChance && same >= repeated * least;
}

/** Probability from which equal values may be chance. */
const MAX_CHANCE = 0.01;

/** Share of pairs of values that are equal, whatever the key. */
function equalShare(values: readonly (string | undefined)[]): number {
  const filled = values.filter((value) => value !== undefined);
  const squares = frequencies(filled).map(([, times]) => (times / filled.length) ** 2);
  return squares.reduce((sum, share) => sum + share, 0);
}

/** Score below which a column isn't a candidate. */
export const MIN_SCORE = 0.35;

/** Makes a candidate if its score is high enough. */
export function candidate(role: Role, profile: ColumnProfile, score: number): readonly Candidate[] {
  return score < MIN_SCORE ? [] : [{ role, profile, score }];
}

type Weights = Readonly<Partial<Record<Concept, number>>>;

/**
 * Adds up the weights, in `weights.json`, of the concepts in a column's name: positive for the role,
 * negative against it.
 * @param others weights that depend on the column's values; they override those in the file
 */
export function weigh(
  { concepts }: ColumnProfile,
  role: (typeof WEIGHED_ROLES)[number],
  others: Weights = {},
): number {
  const weights: Weights = { ...WEIGHTS[role], ...others };
  return [...concepts].reduce((sum, concept) => sum + (weights[concept] ?? 0), 0);
}

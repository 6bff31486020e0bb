/** A column's profile for people and programs. */
import type { ColumnProfile } from './profile-column.js';

/** What values are like. A value may be of several kinds. */
export type ValueKind =
  | 'date'
  | 'time'
  | 'rating'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'language'
  | 'url'
  | 'email'
  | 'id'
  | 'markup';

/** A column of the sample. Shares are from 0 to 1. */
export interface ColumnSummary {
  /** As a mapping names it: a column's name, or a path such as `user.name`. */
  readonly name: string;
  /** Share of the sampled records that have a value. */
  readonly filled: number;
  /** Number of different values in the sample: of the whole file, at least as many. */
  readonly distinct: number;
  /** Shares of the values that are of a kind, the largest first; kinds of fewer than 5% are left out. */
  readonly kinds: readonly { readonly kind: ValueKind; readonly share: number }[];
  /** Mean length of the values in characters, and in words. */
  readonly length: number;
  readonly words: number;
  /** The first different values, shortened. */
  readonly examples: readonly string[];
}

const MIN_SHARE = 0.05;
const MAX_EXAMPLES = 5;
const MAX_EXAMPLE_LENGTH = 80;

/** The summary of a profile. */
export function summarizeColumn(profile: ColumnProfile): ColumnSummary {
  const { name, filled, filledShare, distinct, length, words } = profile;
  const kinds = Object.entries(kindsOf(profile))
    .map(([kind, share]) => ({ kind: kind as ValueKind, share: rounded(share) }))
    .filter(({ share }) => share >= MIN_SHARE)
    .toSorted((a, b) => b.share - a.share);
  const examples = [...new Set(filled)].slice(0, MAX_EXAMPLES).map(shortened);
  return {
    name,
    filled: rounded(filledShare),
    distinct,
    kinds,
    length: rounded(length),
    words: rounded(words),
    examples,
  };
}

function kindsOf(profile: ColumnProfile): Readonly<Record<ValueKind, number>> {
  return {
    date: profile.date?.share ?? 0,
    time: profile.clocks,
    rating: profile.rating?.share ?? 0,
    integer: profile.integers,
    number: profile.numbers,
    boolean: profile.booleans,
    language: profile.language?.share ?? 0,
    url: profile.urls,
    email: profile.emails,
    id: profile.codes,
    markup: profile.markup,
  };
}

function rounded(number: number): number {
  return Math.round(number * 1000) / 1000;
}

function shortened(text: string): string {
  const letters = [...text.slice(0, 2 * MAX_EXAMPLE_LENGTH + 2)];
  if (letters.length <= MAX_EXAMPLE_LENGTH) return text;
  return `${letters.slice(0, MAX_EXAMPLE_LENGTH - 1).join('')}…`;
}

/** Lists the columns that no rule uses, so that nothing is dropped silently. */
import { ruleColumns } from '../mapping/rules.js';
import { type Concept, hasAny, nameWords } from './lexicon/name-concepts.js';
import { mayBePlaces } from './notations/known-values.js';
import type { ColumnProfile } from './profile-column.js';
import { isWords } from './propose/text.js';
import type { DraftField } from './rules/draft.js';

/** A column that no rule uses. */
export interface LeftOut {
  readonly column: string;
  /** Unfilled fields that it may hold, dotted: `metrics.likes`; mostly none. */
  readonly fields: readonly string[];
}

/** Lists the columns that no rule reads, with the unfilled fields that each may hold by its values. */
export function leftOutColumns(
  profiles: readonly ColumnProfile[],
  fields: readonly DraftField[],
): readonly LeftOut[] {
  const used = new Set(fields.filter(takesValue).flatMap(({ rule }) => ruleColumns(rule)));
  const hashed = new Set(fields.flatMap(({ rule }) => ruleColumns(rule)));
  const filled = new Set(fields.map(({ path }) => path.join('.')));
  return profiles
    .filter(({ name }) => !used.has(name))
    .map((profile) => ({
      column: profile.name,
      fields: fieldsFor(profile).filter((field) => !filled.has(field)),
    }))
    .filter(({ column, fields: open }) => open.length > 0 || !hashed.has(column));
}

/** Returns whether a rule takes a column's value. A hash only uses columns to identify the review. */
function takesValue({ path, rule }: DraftField): boolean {
  return path[0] !== 'sourceId' || typeof rule !== 'object' || rule.hash === undefined;
}

function fieldsFor(profile: ColumnProfile): readonly string[] {
  if (profile.distinct < 2 || profile.isRowNumber) return [];
  return CONSIDERED.flatMap(({ fields, may }) => (may(profile) ? fields : []));
}

/** Fields that a column may fill judging by its values. */
interface Considered {
  readonly fields: readonly string[];
  readonly may: (profile: ColumnProfile) => boolean;
}

const CONSIDERED: readonly Considered[] = [
  { fields: ['url'], may: ({ urls }) => urls >= 0.95 },
  { fields: ['published'], may: ({ date, words }) => (date?.share ?? 0) >= 0.5 && words <= 15 },
  { fields: ['metrics.likes', 'metrics.comments', 'metrics.shares'], may: mayBeCount },
  { fields: ['metrics.score'], may: mayBeScore },
  {
    fields: ['country', 'state', 'city'].map((level) => `detectedLocations.${level}`),
    may: mayBePlace,
  },
  { fields: ['author.username'], may: mayBeAuthor },
];

function mayBeCount(profile: ColumnProfile): boolean {
  const { counted, integers, distinct, concepts } = profile;
  if (counted < 0.9 || integers < 0.9 || distinct < 3 || hasAny(profile, 'noReaction'))
    return false;
  if (concepts.has('rating') && !concepts.has('count')) return false;
  return mayMean(profile, ['likes', 'comments', 'shares', 'count', 'rating']);
}

function mayBeScore(profile: ColumnProfile): boolean {
  const { rating, concepts } = profile;
  return (rating?.share ?? 0) >= 0.9 && !concepts.has('aspect') && mayMean(profile, ['rating']);
}

function mayBePlace(profile: ColumnProfile): boolean {
  const { distinctShare, concepts, filled, name } = profile;
  if (!mayBeName(profile)) return false;
  if (hasAny(profile, 'placeName')) return true;
  const isUnknown = concepts.size === 0 && nameWords(name).length <= 3;
  return isUnknown && distinctShare <= 0.6 && mayBePlaces([...new Set(filled)]);
}

function mayBeAuthor(profile: ColumnProfile): boolean {
  return mayBeName(profile) && profile.distinctShare >= 0.3 && mayMean(profile, ['author', 'name']);
}

/** Returns whether values are as short as names of people and places. */
function mayBeName(profile: ColumnProfile): boolean {
  return isWords(profile) && profile.words <= 4 && profile.length <= 40 && profile.length >= 2;
}

/** Returns whether a column's name is unclear, or has one of the concepts. */
function mayMean(profile: ColumnProfile, wanted: readonly Concept[]): boolean {
  return profile.concepts.size === 0 || profile.unknownWords > 0 || hasAny(profile, wanted);
}

/**
 * Describes the unused columns, a sentence each for those that may hold an unfilled field:
 * `Left out: "Ort" (for detectedLocations.city?).`, and one for all others.
 */
export function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  const others = leftOut.filter(({ fields }) => fields.length === 0);
  const names = others.map(({ column }) => JSON.stringify(column)).join(', ');
  return [
    ...leftOut.filter(({ fields }) => fields.length > 0).map(leftOutLine),
    ...(others.length === 0 ? [] : [`Not used: ${names}.`]),
  ];
}

function leftOutLine({ column, fields }: LeftOut): string {
  const last = fields.length > 1 ? ` or ${fields.at(-1)}` : '';
  const rest = fields.length > 1 ? fields.slice(0, -1) : fields;
  return `Left out: ${JSON.stringify(column)} (for ${rest.join(', ')}${last}?).`;
}

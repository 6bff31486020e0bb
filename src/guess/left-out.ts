/** Reports each unused column with a reason, so that nothing is dropped silently. */
import { ruleColumns } from '../mapping/rules.js';
import { type Concept, hasAny, nameWords } from './lexicon/name-concepts.js';
import { notPlaces } from './notations/known-values.js';
import { dayAndMonth } from './open-questions.js';
import { isOfParent } from './parent-columns.js';
import type { ColumnProfile } from './profile-column.js';
import { describesThing, type Table } from './propose/candidate.js';
import { isAverage, sidesOf } from './propose/score.js';
import { whyNoReviewPage } from './propose/surroundings.js';
import { isWithin, isWords } from './propose/text.js';
import { columnLabel, type DraftField } from './rules/draft.js';

/** A column that no rule uses, the fields it may hold, and why it was left out. */
export interface LeftOut {
  readonly column: string;
  /** Dotted names, for example `metrics.likes`. */
  readonly fields: readonly string[];
  /** Reason, as a clause: `its name doesn't show what it contains`. */
  readonly because: string;
}

/** Returns the fields that a column may fill judging by its values, and why it was left out. */
type Consider = (profile: ColumnProfile, table: Table) => Omit<LeftOut, 'column'> | undefined;

const UNCLEAR_NAME = "its name doesn't show what it contains";

/** Lists the columns that no rule reads, each with the reason, and the unfilled fields that it may hold. */
export function leftOutColumns(table: Table, fields: readonly DraftField[]): readonly LeftOut[] {
  const used = new Set(fields.filter(takesValue).flatMap(({ rule }) => ruleColumns(rule)));
  const filled = new Set(fields.map(({ path }) => path.join('.')));
  const hashed = new Set(fields.flatMap(({ rule }) => ruleColumns(rule)));
  const users = table.profiles.filter(({ name }) => used.has(name));
  return table.profiles
    .filter(({ name }) => !used.has(name))
    .flatMap((profile) => {
      const reason = REASONS.find(({ holds }) => holds(profile, table));
      const varies = profile.distinct > 1 && !profile.isRowNumber;
      const considered = varies
        ? CONSIDERED.flatMap((consider) => consider(profile, table) ?? [])
        : [];
      const may = [...new Set(considered.flatMap(({ fields: names }) => names))];
      const open = may.filter((field) => !filled.has(field));
      if (open.length > 0) {
        const known = considered.find(({ because }) => because !== UNCLEAR_NAME);
        const because = known?.because ?? reason?.because ?? UNCLEAR_NAME;
        return [{ column: profile.name, fields: open, because }];
      }
      if (hashed.has(profile.name)) return [];
      const original = users.find((user) => isCopy(profile, user) || isWithin(profile, user));
      const because =
        original === undefined
          ? (reason?.because ?? NO_FIELD)
          : `its values are also in ${columnLabel(original)}`;
      return [{ column: profile.name, fields: [], because }];
    });
}

const NO_FIELD = 'it fits no field';

/** Minimum share of equal values in copies. */
const MIN_EQUAL = 0.95;

function isCopy({ column, filled }: ColumnProfile, other: ColumnProfile): boolean {
  if (filled.length < 2) return false;
  const same = column.texts.filter((text, at) => text === other.column.texts[at]);
  return same.length >= column.texts.length * MIN_EQUAL;
}

/** A reason for leaving a column out, and whether it is true of a column. */
interface Reason {
  readonly because: string;
  readonly holds: (profile: ColumnProfile, table: Table) => boolean;
}

function reason(because: string, holds: Reason['holds']): Reason {
  return { because, holds };
}

/** Makes a reason that follows from one of some concepts in the column's name. */
function named(because: string, ...concepts: readonly Concept[]): Reason {
  return reason(because, (profile) => hasAny(profile, concepts));
}

/** Reasons for leaving out columns, the most specific first. */
const REASONS: readonly Reason[] = [
  reason('it is blank in every record', ({ filled }) => filled.length === 0),
  reason('it belongs to the element around the review', ({ name }) => isOfParent(name)),
  reason('it only numbers the rows', ({ isRowNumber }) => isRowNumber),
  reason('it holds e-mail addresses', ({ emails }) => emails > 0.3),
  named('it belongs to a reply, not to the review', 'reply'),
  reason('it is the same in all reviews of one item, like an average', isAverage),
  named('its name suggests an average', 'average'),
  reason('it has the same value in every record', ({ distinct }) => distinct === 1),
  named('its name suggests a processed copy', 'processed'),
  named('its name suggests an image', 'image'),
  named('its name suggests contact or technical data', 'email', 'version'),
  reason('its dates have no year', dayAndMonth),
  reason('it is another date', ({ date }) => (date?.share ?? 0) >= 0.5),
  reason('it links to another page', ({ urls }) => urls > 0.5),
  reason(
    'its values are yes or no',
    (profile) => profile.booleans > 0.9 || sidesOf(profile).size > 0,
  ),
  named('it counts something else', 'count', 'dislikes', 'likes', 'comments', 'shares'),
  reason('it describes the reviewed item', describesThing),
  reason('it is another rating', isOtherRating),
  reason('it holds other numbers', ({ numbers }) => numbers > 0.9),
  named('it describes the reviewed item', 'place'),
  reason('it holds codes of something else', ({ codes, words }) => codes > 0.8 && words < 1.5),
  named('it holds ids of something else', 'id'),
  named('it describes the author', 'author', 'joined'),
  named(
    'it holds words, not sentences; add it to text if it is praise or complaint',
    'positive',
    'negative',
  ),
  reason(
    'its values repeat as categories do; add it under tags to keep it',
    ({ distinctShare, words }) => distinctShare < 0.5 && words < MAX_CATEGORY,
  ),
];

/** Returns whether values are ratings by their notation, or by the column's name. */
function isOtherRating(profile: ColumnProfile): boolean {
  const { rating } = profile;
  if (rating === undefined || rating.share < 0.9) return false;
  return (
    hasAny(profile, 'vote') || rating.groups.some(({ notation }) => notation.values !== undefined)
  );
}

/** Maximum mean number of words of categories. */
const MAX_CATEGORY = 6;

/** Returns whether a rule takes a column's value. A hash only uses columns to identify the review. */
function takesValue({ path, rule }: DraftField): boolean {
  return path[0] !== 'sourceId' || typeof rule !== 'object' || rule.hash === undefined;
}

/** Returns whether a column's name is unclear, or has one of the concepts. */
function mayMean(profile: ColumnProfile, wanted: readonly Concept[]): boolean {
  return profile.concepts.size === 0 || profile.unknownWords > 0 || hasAny(profile, wanted);
}

const PLACES = ['country', 'state', 'city'].map((level) => `detectedLocations.${level}`);

const CONSIDERED: readonly Consider[] = [
  (profile, table) =>
    profile.urls < 0.95
      ? undefined
      : {
          fields: ['url'],
          because: whyNoReviewPage(profile, table) ?? 'it is less likely than another column',
        },
  ({ date, concepts, words }) => {
    if (date === undefined || date.share < 0.5 || words > 15) return undefined;
    const namesDate = concepts.has('date') || concepts.has('written');
    return {
      fields: ['published'],
      because: namesDate ? 'its name suggests another date' : UNCLEAR_NAME,
    };
  },
  (profile) => {
    const { counted, integers, distinct, concepts } = profile;
    if (counted < 0.9 || integers < 0.9 || distinct < 3) return undefined;
    if (hasAny(profile, 'noReaction')) return undefined;
    if (concepts.has('rating') && !concepts.has('count')) return undefined;
    if (!mayMean(profile, ['likes', 'comments', 'shares', 'count', 'rating'])) return undefined;
    return {
      fields: ['metrics.likes', 'metrics.comments', 'metrics.shares'],
      because: concepts.has('author') ? 'it seems to count what the author did' : UNCLEAR_NAME,
    };
  },
  (profile) => {
    const { rating, concepts } = profile;
    if ((rating?.share ?? 0) < 0.9 || concepts.has('aspect')) return undefined;
    return mayMean(profile, ['rating'])
      ? { fields: ['metrics.score'], because: UNCLEAR_NAME }
      : undefined;
  },
  (profile) => {
    const { distinctShare, concepts, filled } = profile;
    if (!mayBeName(profile)) return undefined;
    const no = notPlaces([...new Set(filled)]);
    if (hasAny(profile, 'placeName')) {
      return {
        fields: PLACES,
        because: no ?? "its name doesn't show what kind of place it is",
      };
    }
    const unknown = concepts.size === 0 && nameWords(profile.name).length <= 3;
    return no === undefined && distinctShare <= 0.6 && unknown
      ? { fields: PLACES, because: UNCLEAR_NAME }
      : undefined;
  },
  (profile) =>
    mayBeName(profile) && profile.distinctShare >= 0.3 && mayMean(profile, ['author', 'name'])
      ? { fields: ['author.username'], because: UNCLEAR_NAME }
      : undefined,
];

/** Returns whether values are as short as names of people and places. */
function mayBeName(profile: ColumnProfile): boolean {
  return isWords(profile) && profile.words <= 4 && profile.length <= 40 && profile.length >= 2;
}

/** Describes a left-out column: `"Ort" (for detectedLocations.city?), because its name doesn't show what it contains`. */
export function leftOutText({ column, fields, because }: LeftOut): string {
  const last = fields.length > 1 ? ` or ${fields.at(-1)}` : '';
  const rest = fields.length > 1 ? fields.slice(0, -1) : fields;
  return `${JSON.stringify(column)} (for ${rest.join(', ')}${last}?), because ${because}`;
}

/** Describes all left-out columns in a sentence, those with the same reason together. */
export function leftOutSummary(leftOut: readonly LeftOut[]): string {
  const reasons = [...new Set(leftOut.map(({ because }) => because))];
  const groups = reasons.map((because) => {
    const columns = leftOut.filter((one) => one.because === because);
    // `it is blank` → `each is blank`, `its name suggests` → `the name suggests`
    const clause = because.replace(/^its /, 'the ').replace(/^it /, 'each ');
    const names = columns.map(({ column }) => JSON.stringify(column)).join(', ');
    return `${names} (${columns.length > 1 ? clause : because})`;
  });
  return groups.join('; ');
}

/** Reports unused columns that may hold an unfilled field, so that nothing is dropped silently. */
import { ruleColumns } from '../mapping/rules.js';
import type { Concept } from './lexicon/name-concepts.js';
import { notPlaces } from './notations/known-values.js';
import type { ColumnProfile } from './profile-column.js';
import type { Table } from './propose/candidate.js';
import { whyNoReviewPage } from './propose/surroundings.js';
import { isWords } from './propose/text.js';
import type { DraftField } from './rules/draft.js';

/** A column that no rule uses, the fields it may hold, and why it was left out. */
export interface LeftOut {
  readonly column: string;
  /** Dotted names, for example `metrics.likes`. */
  readonly fields: readonly string[];
  /** Reason, as a clause: `its name does not say what it holds`. */
  readonly because: string;
}

/** Returns the fields that a column may fill judging by its values, and why it was left out. */
type Consider = (profile: ColumnProfile, table: Table) => Omit<LeftOut, 'column'> | undefined;

const UNCLEAR_NAME = 'its name does not say what it holds';

/** Lists columns that no rule reads and that may hold an unfilled field. */
export function leftOutColumns(table: Table, fields: readonly DraftField[]): readonly LeftOut[] {
  const used = new Set(fields.filter(takesValue).flatMap(({ rule }) => ruleColumns(rule)));
  const filled = new Set(fields.map(({ path }) => path.join('.')));
  return table.profiles
    .filter(({ name, distinct, isRowNumber }) => !used.has(name) && distinct > 1 && !isRowNumber)
    .flatMap((profile) => {
      const considered = CONSIDERED.flatMap((consider) => consider(profile, table) ?? [])[0];
      const open = considered?.fields.filter((field) => !filled.has(field)) ?? [];
      if (considered === undefined || open.length === 0) return [];
      return [{ column: profile.name, fields: open, because: considered.because }];
    });
}

/** Whether a rule takes a column's value. A hash only uses columns to identify the review. */
function takesValue({ path, rule }: DraftField): boolean {
  return path[0] !== 'sourceId' || typeof rule !== 'object' || rule.hash === undefined;
}

/** Whether a column's name is unclear, or has one of the concepts. */
function mayMean({ concepts, unknownWords }: ColumnProfile, wanted: readonly Concept[]): boolean {
  return concepts.size === 0 || unknownWords > 0 || wanted.some((concept) => concepts.has(concept));
}

const considerAddress: Consider = (profile, table) => {
  if (profile.urls < 0.95) return undefined;
  const because = whyNoReviewPage(profile, table) ?? 'it is less likely than another column';
  return { fields: ['url'], because };
};

const considerDate: Consider = ({ date, concepts, words }) => {
  if (date === undefined || date.share < 0.5 || words > 15) return undefined;
  const namesDate = concepts.has('date') || concepts.has('written');
  const because = namesDate ? 'its name suggests another date' : UNCLEAR_NAME;
  return { fields: ['published'], because };
};

const considerCount: Consider = (profile) => {
  const { counted, integers, distinct, concepts, rating } = profile;
  if (counted < 0.9 || integers < 0.9 || distinct < 3) return undefined;
  const other: readonly Concept[] = ['id', 'place', 'version', 'row', 'average', 'best', 'aspect'];
  if (other.some((concept) => concepts.has(concept))) return undefined;
  if (!mayMean(profile, ['likes', 'comments', 'shares', 'count', 'rating'])) return undefined;
  const scored = rating !== undefined && (concepts.size === 0 || concepts.has('rating'));
  const counts = ['metrics.likes', 'metrics.comments', 'metrics.shares'];
  const because = concepts.has('author') ? 'it seems to count what the author did' : UNCLEAR_NAME;
  return { fields: [...(scored ? ['metrics.score'] : []), ...counts], because };
};

const PLACES = ['country', 'state', 'city'].map((level) => `detectedLocations.${level}`);

const considerPlace: Consider = (profile) => {
  const { words, length, filled, distinctShare, concepts } = profile;
  if (!isWords(profile) || words > 4 || length > 40 || length < 2) return undefined;
  const because = notPlaces([...new Set(filled)]);
  const named = (['country', 'region', 'city', 'location'] as const).some((one) =>
    concepts.has(one),
  );
  if (named)
    return {
      fields: PLACES,
      because: because ?? 'its name does not say clearly what kind of place it is',
    };
  if (because !== undefined || distinctShare > 0.6) return undefined;
  if (!mayMean(profile, ['author', 'name'])) return undefined;
  return { fields: PLACES, because: UNCLEAR_NAME };
};

const considerName: Consider = (profile) => {
  const { words, length, distinctShare } = profile;
  if (!isWords(profile) || words > 4 || length > 40 || distinctShare < 0.3) return undefined;
  return mayMean(profile, ['author', 'name'])
    ? { fields: ['author.username'], because: UNCLEAR_NAME }
    : undefined;
};

const considerRating: Consider = (profile) => {
  const { rating, concepts } = profile;
  if (rating === undefined || rating.share < 0.9 || !mayMean(profile, ['rating'])) return undefined;
  if (concepts.has('aspect')) return undefined;
  return { fields: ['metrics.score'], because: UNCLEAR_NAME };
};

const CONSIDERED: readonly Consider[] = [
  considerAddress,
  considerDate,
  considerCount,
  considerRating,
  considerPlace,
  considerName,
];

/** Describes a left-out column: `"Ort" (for detectedLocations.city?), because its name does not say what it holds`. */
export function leftOutText({ column, fields, because }: LeftOut): string {
  const last = fields.length > 1 ? ` or ${fields.at(-1)}` : '';
  const rest = fields.length > 1 ? fields.slice(0, -1) : fields;
  return `${JSON.stringify(column)} (for ${rest.join(', ')}${last}?), because ${because}`;
}

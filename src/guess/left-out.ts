/** Columns that may hold a field which no rule fills, and that were left out for doubt: nothing is dropped in silence. */
import { ruleColumns } from '../mapping/rules.js';
import type { Concept } from './lexicon/name-concepts.js';
import { notPlaces } from './notations/known-values.js';
import type { ColumnProfile } from './profile-column.js';
import type { Table } from './propose/candidate.js';
import { whyNoReviewPage } from './propose/surroundings.js';
import { isWords } from './propose/text.js';
import type { DraftField } from './rules/draft.js';

/** A column, the fields that it may hold, and why it was not taken. */
export interface LeftOut {
  readonly column: string;
  /** Such as `metrics.likes`. */
  readonly fields: readonly string[];
  readonly because: string;
}

/** Fields that values of one kind may fill, and why a column of this kind was not taken. */
type Consider = (profile: ColumnProfile, table: Table) => Omit<LeftOut, 'column'> | undefined;

const NAMELESS = 'its name does not say what it holds';

/** The columns that no rule reads, as far as a field is open that they may hold. */
export function leftOutColumns(table: Table, fields: readonly DraftField[]): readonly LeftOut[] {
  const used = new Set(fields.filter(isOfOwn).flatMap(({ rule }) => ruleColumns(rule)));
  const filled = new Set(fields.map(({ path }) => path.join('.')));
  return table.profiles
    .filter(({ name, distinct, counts }) => !used.has(name) && distinct > 1 && !counts)
    .flatMap((profile) => {
      const considered = CONSIDERED.flatMap((consider) => consider(profile, table) ?? [])[0];
      const open = considered?.fields.filter((field) => !filled.has(field)) ?? [];
      if (considered === undefined || open.length === 0) return [];
      return [{ column: profile.name, fields: open, because: considered.because }];
    });
}

/** A hash reads columns, and fills none of their fields. */
function isOfOwn({ path, rule }: DraftField): boolean {
  return path[0] !== 'sourceId' || typeof rule !== 'object' || rule.hash === undefined;
}

/** Whether a name leaves open that a column holds one of these, as it says so in part, or says nothing. */
function mayBe({ concepts, unknown }: ColumnProfile, wanted: readonly Concept[]): boolean {
  return concepts.size === 0 || unknown > 0 || wanted.some((concept) => concepts.has(concept));
}

const considerAddress: Consider = (profile, table) => {
  if (profile.urls < 0.95) return undefined;
  const because = whyNoReviewPage(profile, table) ?? 'it is less likely than another column';
  return { fields: ['url'], because };
};

const considerDate: Consider = ({ date, concepts, words }) => {
  if (date === undefined || date.share < 0.5 || words > 15) return undefined;
  const spoken = concepts.has('date') || concepts.has('written');
  const because = spoken ? 'its name speaks of another date' : NAMELESS;
  return { fields: ['published'], because };
};

const considerCount: Consider = (profile) => {
  const { counted, integers, distinct, concepts, rating } = profile;
  if (counted < 0.9 || integers < 0.9 || distinct < 3) return undefined;
  const other: readonly Concept[] = ['id', 'place', 'version', 'row', 'average', 'best', 'aspect'];
  if (other.some((concept) => concepts.has(concept))) return undefined;
  if (!mayBe(profile, ['likes', 'comments', 'shares', 'count', 'rating'])) return undefined;
  const scored = rating !== undefined && (concepts.size === 0 || concepts.has('rating'));
  const counts = ['metrics.likes', 'metrics.comments', 'metrics.shares'];
  const because = concepts.has('author') ? 'it seems to count what the author did' : NAMELESS;
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
  if (named) return { fields: PLACES, because: because ?? 'its name says too little about where' };
  if (because !== undefined || distinctShare > 0.6) return undefined;
  if (!mayBe(profile, ['author', 'name'])) return undefined;
  return { fields: PLACES, because: NAMELESS };
};

const considerName: Consider = (profile) => {
  const { words, length, distinctShare } = profile;
  if (!isWords(profile) || words > 4 || length > 40 || distinctShare < 0.3) return undefined;
  return mayBe(profile, ['author', 'name'])
    ? { fields: ['author.username'], because: NAMELESS }
    : undefined;
};

const considerRating: Consider = (profile) => {
  const { rating, concepts } = profile;
  if (rating === undefined || rating.share < 0.9 || !mayBe(profile, ['rating'])) return undefined;
  if (concepts.has('aspect')) return undefined;
  return { fields: ['metrics.score'], because: NAMELESS };
};

const CONSIDERED: readonly Consider[] = [
  considerAddress,
  considerDate,
  considerCount,
  considerRating,
  considerPlace,
  considerName,
];

/** `"Ort" (for detectedLocations.city?), because its name does not say what it holds`. */
export function leftOutText({ column, fields, because }: LeftOut): string {
  const last = fields.length > 1 ? ` or ${fields.at(-1)}` : '';
  const rest = fields.length > 1 ? fields.slice(0, -1) : fields;
  return `${JSON.stringify(column)} (for ${rest.join(', ')}${last}?), because ${because}`;
}

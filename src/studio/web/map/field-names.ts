/** Names of the document's fields for people, in the groups of the map screen. */
import type { MappingChange } from '../../../index.js';

export interface FieldGroup {
  readonly title: string;
  /** Labels by dotted name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Beginning of the names that people choose themselves, and the word for one. */
  readonly own?: readonly [above: string, word: string];
}

const REVIEW = {
  text: 'Review text',
  published: 'Date written',
  language: 'Language',
  sentiment: 'Sentiment',
  url: 'Link',
  sourceId: 'Review id',
  parentSourceId: 'Id of what it answers',
  downloaded: 'Date collected',
  source: 'Network',
};
const AUTHOR = {
  'author.username': 'Author name',
  'author.sourceId': 'Author id',
  'author.source': 'Author network',
};
const FIGURES = {
  'metrics.score': 'Rating',
  'metrics.likes': 'Likes',
  'metrics.comments': 'Comments',
  'metrics.shares': 'Shares',
};
const PLACES = {
  'detectedLocations.country': 'Country',
  'detectedLocations.region of the country': 'Region',
  'detectedLocations.state': 'State',
  'detectedLocations.city': 'City',
};

export const FIELD_GROUPS: readonly FieldGroup[] = [
  { title: 'The review', fields: REVIEW },
  { title: 'Who wrote it', fields: AUTHOR },
  { title: 'Figures', fields: FIGURES, own: ['metrics.', 'figure'] },
  { title: 'Where', fields: PLACES },
  // The last group takes all others.
  { title: 'Tags and more', fields: {}, own: ['author.annotations.', 'annotation'] },
];

/** Group that a field is listed in. */
export function groupOf(name: string): FieldGroup | undefined {
  const isIn = ({ fields, own }: FieldGroup): boolean =>
    Object.hasOwn(fields, name) || (own !== undefined && name.startsWith(own[0]));
  return FIELD_GROUPS.find(isIn) ?? FIELD_GROUPS.at(-1);
}

/** Name of a field for people: `Author name`. */
export function labelOf(name: string): string {
  const { fields = {} } = groupOf(name) ?? {};
  const tag = /^tags\.(\d+)$/u.exec(name);
  if (tag !== null) return `Tag ${Number(tag[1]) + 1}`;
  return fields[name] ?? name.replace(/^(?:metrics|author\.annotations)\./u, '');
}

/** Path of a field below `document`, for a name out of {@link FIELD_GROUPS}. */
export function pathOf(name: string): MappingChange['path'] {
  return name.split('.').map((step) => (/^\d+$/u.test(step) ? Number(step) : step));
}

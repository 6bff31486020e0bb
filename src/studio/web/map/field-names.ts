/** Names of the document's fields for people, in the groups of the map screen. */
import type { MappingChange } from '../../../index.js';

interface FieldGroup {
  readonly title: string;
  /** Labels by dotted name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Parent of fields whose names people choose, and the word for one. */
  readonly own?: readonly [above: string, word: string];
}

export const FIELD_GROUPS: readonly FieldGroup[] = [
  {
    title: 'The review',
    fields: {
      text: 'Review text',
      published: 'Date written',
      language: 'Language',
      sentiment: 'Sentiment',
      url: 'Link',
      sourceId: 'Review id',
      parentSourceId: 'Id of what it answers',
      downloaded: 'Date collected',
      source: 'Network',
    },
  },
  {
    title: 'Who wrote it',
    fields: {
      'author.username': 'Author name',
      'author.sourceId': 'Author id',
      'author.source': 'Author network',
    },
  },
  {
    title: 'Figures',
    fields: {
      'metrics.score': 'Rating',
      'metrics.likes': 'Likes',
      'metrics.comments': 'Comments',
      'metrics.shares': 'Shares',
    },
    own: ['metrics', 'figure'],
  },
  {
    title: 'Where',
    fields: {
      'detectedLocations.country': 'Country',
      'detectedLocations.region of the country': 'Region',
      'detectedLocations.state': 'State',
      'detectedLocations.city': 'City',
    },
  },
  { title: 'Tags and more', fields: {}, own: ['author.annotations', 'annotation'] },
];

/** Title of the group that a field is listed in. */
export function groupOf(name: string): string {
  const group =
    FIELD_GROUPS.find(({ fields }) => Object.hasOwn(fields, name)) ??
    FIELD_GROUPS.find(({ own }) => own !== undefined && name.startsWith(`${own[0]}.`));
  if (group !== undefined) return group.title;
  return name.startsWith('detectedLocations.') ? 'Where' : 'Tags and more';
}

/** Name of a field for people: `Author name`. */
export function labelOf(name: string): string {
  for (const { fields, own } of FIELD_GROUPS) {
    if (fields[name] !== undefined) return fields[name];
    if (own !== undefined && name.startsWith(`${own[0]}.`)) return name.slice(own[0].length + 1);
  }
  const tag = /^tags\.(\d+)$/u.exec(name);
  return tag === null ? name : `Tag ${Number(tag[1]) + 1}`;
}

/** Path of a field below `document`, for a name out of {@link FIELD_GROUPS}. */
export function pathOf(name: string): MappingChange['path'] {
  return name.split('.').map((step) => (/^\d+$/u.test(step) ? Number(step) : step));
}

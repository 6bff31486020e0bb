/** What makes a review this one, and what may change while it stays the same review. */
import type { ImportedDocument } from '../model/document.js';
import type { Mapping } from './mapping.js';
import { readsRelative } from './rules.js';

/** One value of a document. */
export interface ReviewField {
  /** As messages name it: `metrics.likes`. */
  readonly name: string;
  /** The value as a text; empty if there is none. */
  readonly read: (document: ImportedDocument) => string;
}

/** The fields that a mapping fills, without the id itself and the moment of capture. */
export interface ReviewFields {
  /** Text, author, date and rating: where these agree, it is the same review. */
  readonly identifying: readonly ReviewField[];
  readonly others: readonly ReviewField[];
}

/** The metric that is the rating; all others count something. */
const RATING = 'score';
const TEXTS = ['parentSourceId', 'language', 'sentiment', 'url'] as const;
const LISTS = ['detectedLocations', 'tags'] as const;

/** The fields of the documents that a mapping makes. */
export function reviewFields({ document }: Pick<Mapping, 'document'>): ReviewFields {
  const { author = {}, metrics = {} } = document;
  const published: ReviewField = { name: 'published', read: ({ published: at = '' }) => at };
  const username: ReviewField = {
    name: 'author.username',
    read: (one) => one.author?.username ?? '',
  };
  const authorId: ReviewField = {
    name: 'author.sourceId',
    read: (one) => one.author?.sourceId ?? '',
  };
  // "2 months ago" says another day in each export.
  const dated = document.published !== undefined;
  const lasting = dated && !readsRelative(document.published);
  const hasAuthorId = author.sourceId !== undefined;
  return {
    identifying: [
      { name: 'text', read: ({ text = '' }) => text },
      hasAuthorId ? authorId : username,
      ...(lasting ? [published] : []),
      ...(Object.hasOwn(metrics, RATING) ? [metricField(RATING)] : []),
    ],
    others: [
      ...(dated && !lasting ? [published] : []),
      ...TEXTS.filter((name) => document[name] !== undefined).map(
        (name): ReviewField => ({ name, read: (one) => one[name] ?? '' }),
      ),
      ...LISTS.filter((name) => document[name] !== undefined).map(
        (name): ReviewField => ({ name, read: (one) => JSON.stringify(one[name] ?? []) }),
      ),
      ...Object.keys(metrics)
        .filter((name) => name !== RATING)
        .map(metricField),
      ...(hasAuthorId && author.username !== undefined ? [username] : []),
      ...Object.keys(author.annotations ?? {}).map(annotationField),
    ],
  };
}

function metricField(name: string): ReviewField {
  return {
    name: `metrics.${name}`,
    read: ({ metrics }) => String(metrics?.find((metric) => metric.name === name)?.value ?? ''),
  };
}

function annotationField(name: string): ReviewField {
  return {
    name: `author.annotations.${name}`,
    read: ({ author }) => author?.annotations?.find((note) => note.name === name)?.value ?? '',
  };
}

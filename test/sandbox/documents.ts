import type { ImportedDocument } from '../../src/model/document.js';
import type { CapturedDocument } from '../../src/sandbox/index.js';

/** A window that holds every document of these tests. */
export const ALWAYS = { start: '0001-01-01 00:00', end: '9999-12-31 23:59' };

/** A search that any monitoring may have. */
export const SEARCH = { source: 'RSS', query: 'https://example.com/feed' };

/** A small valid document. */
export function review(sourceId: string, more: Partial<ImportedDocument> = {}): ImportedDocument {
  return { source: 'RVW', sourceId, text: `Text of ${sourceId}`, ...more };
}

/** A document that has every field. */
export const FULL: ImportedDocument = {
  source: 'RVW',
  sourceId: 'r-1',
  parentSourceId: 'r-0',
  text: 'Muy buena atención 👍\n¡Volveré!',
  language: 'es',
  sentiment: 'B',
  detectedLocations: ['country: España', 'city: Sevilla'],
  published: '2024-05-31T10:30:00+02:00',
  downloaded: '2024-06-01T00:00:00.5Z',
  url: 'https://example.com/r/1?a=b&c=d',
  metrics: [
    { name: 'likes', value: 3 },
    { name: 'score', value: 4.5 },
  ],
  tags: ['summer', 'a,b'],
  author: {
    source: 'RVW',
    sourceId: 'u-1',
    username: 'María',
    annotations: [{ name: 'stay', value: 'Family' }],
  },
};

/** Captured documents that have nothing special but what is given. */
export function captured(
  ...documents: readonly Partial<CapturedDocument>[]
): readonly CapturedDocument[] {
  return documents.map((document) => ({
    source: 'TWT',
    sourceId: '1',
    text: '',
    published: '2024-02-29',
    downloaded: '2024-02-29',
    author: { sourceId: '1' },
    ...document,
  }));
}

/** Values of documents by the mapping's fields. */
import type { ImportedDocument } from '../model/document.js';

/** Counts the documents that have a field. */
export function filledCount(
  { documents }: { readonly documents: readonly ImportedDocument[] },
  path: readonly string[],
): number {
  return documents.filter((document) => valueIn(document, path) !== undefined).length;
}

/** Returns the value of a field of the mapping in a document; of a list, all its values. */
export function valueIn(document: ImportedDocument, path: readonly string[]): unknown {
  const [top, key = '', name] = path;
  if (top === 'metrics') return document.metrics?.find((metric) => metric.name === key)?.value;
  if (top === 'tags') return document.tags?.length === 0 ? undefined : document.tags?.join(', ');
  if (top === 'detectedLocations') {
    const found = document.detectedLocations?.find((place) => place.startsWith(`${key}: `));
    return found?.slice(key.length + 2);
  }
  if (top !== 'author') return document[top as keyof ImportedDocument];
  if (key !== 'annotations') return document.author?.[key as 'username'];
  return document.author?.annotations?.find((annotation) => annotation.name === name)?.value;
}

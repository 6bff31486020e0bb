import { BETWEEN_FIELDS, scopeWords } from './scope-words.js';
import { indexedWords } from './words.js';

/** What the index of words keeps of a document, as one text. */
export function documentWords(
  { title, text }: { readonly title?: string | null; readonly text: string },
  monitoring: number,
  publishedMs: number,
): string {
  const scope = scopeWords(monitoring, publishedMs);
  return [scope, indexedWords(title ?? ''), indexedWords(text)].join(BETWEEN_FIELDS);
}

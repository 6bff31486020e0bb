import type { Annotation, ImportedAuthor, ImportedDocument, Metric } from '../model/document.js';
import { type DocumentDigest, textHash } from './serialise.js';

/** Digests a document built by a mapping, faster than serialising it. */
export function digestDocument(document: ImportedDocument): DocumentDigest {
  const values = digestedText(document);
  return { digest: textHash(values), broken: !values.isWellFormed() };
}

/** Concatenates the values, each with a mark of its kind, without `downloaded`. */
function digestedText(document: ImportedDocument): string {
  const { source, sourceId, parentSourceId, language, sentiment, published, url } = document;
  return (
    textValue(document.text) +
    textValue(source) +
    textValue(sourceId) +
    textValue(parentSourceId) +
    textValue(language) +
    textValue(sentiment) +
    textValue(published) +
    textValue(url) +
    listValue(document.detectedLocations) +
    listValue(document.tags) +
    pairsValue(document.metrics) +
    authorValue(document.author)
  );
}

function authorValue(author: ImportedAuthor | undefined): string {
  if (author === undefined) return ABSENT;
  const { source, sourceId, username, annotations } = author;
  return textValue(source) + textValue(sourceId) + textValue(username) + pairsValue(annotations);
}

const ABSENT = '-';
const LIST_END = ']';

function textValue(text: string | null | undefined): string {
  if (typeof text === 'string') return `"${text.length}:${text}`;
  return text === null ? 'null' : ABSENT;
}

function listValue(texts: readonly string[] | undefined): string {
  if (texts === undefined) return ABSENT;
  let values = '';
  for (let at = 0; at < texts.length; at += 1) values += textValue(texts[at]);
  return values + LIST_END;
}

function pairsValue(pairs: readonly (Metric | Annotation)[] | undefined): string {
  if (pairs === undefined) return ABSENT;
  let values = '';
  for (let at = 0; at < pairs.length; at += 1) {
    const { name, value } = pairs[at] as Metric | Annotation;
    values += textValue(name) + (typeof value === 'string' ? textValue(value) : numberValue(value));
  }
  return values + LIST_END;
}

/** As in JSON: numbers that aren't finite become `null`. */
function numberValue(value: number): string {
  return `=${Number.isFinite(value) ? value : null}`;
}

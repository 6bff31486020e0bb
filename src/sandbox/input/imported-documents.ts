import type { ImportedDocument } from '../../model/document.js';
import { Refusal } from '../refusal.js';
import { checkBody } from './bodies.js';
import { unreadableTimestamps } from './timestamp.js';

/** A document that passed the check, so these fields are present. */
export type CheckedDocument = ImportedDocument &
  Readonly<Required<Pick<ImportedDocument, 'source' | 'sourceId' | 'text'>>>;

/**
 * Reads the body of an import call. One bad document refuses the whole call: with 400 and a message
 * for each fault, or with 413 for too many documents. Fields that imports don't have are dropped
 * unchecked, including those of captured documents.
 */
export function checkImport(body: unknown, maxDocuments: number): readonly CheckedDocument[] {
  const count = (body as { documents?: { length?: number } } | null)?.documents?.length ?? 0;
  if (count > maxDocuments) {
    throw new Refusal('tooLarge', `A call takes at most ${maxDocuments} documents, not ${count}.`);
  }
  checkBody('Import', body);
  const { documents } = body as { documents: readonly CheckedDocument[] };
  const unreadable = unreadableTimestamps(documents);
  if (unreadable.length > 0) throw new Refusal('invalid', unreadable);
  return documents.map(withKnownFields);
}

function withKnownFields(document: CheckedDocument): CheckedDocument {
  const { author } = document;
  const known = pickFields(DOCUMENT_FIELDS, document);
  const person = author && pickFields(AUTHOR_FIELDS, author);
  return person === author ? known : { ...known, ...(person && { author: person }) };
}

/** Returns the object itself if it has no other fields, as in nearly all documents. */
function pickFields<T extends object>(fields: ReadonlySet<string>, object: T): T {
  if (Object.keys(object).every((name) => fields.has(name))) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => fields.has(name))) as T;
}

const AUTHOR_FIELDS: ReadonlySet<string> = new Set([
  ...['source', 'sourceId', 'username', 'annotations'],
]);

const DOCUMENT_FIELDS: ReadonlySet<string> = new Set([
  ...['source', 'sourceId', 'parentSourceId', 'text', 'language', 'sentiment', 'author', 'url'],
  ...['detectedLocations', 'published', 'downloaded', 'metrics', 'tags'],
]);

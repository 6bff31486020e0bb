import type { ImportedDocument } from '../../model/document.js';
import { isOneOf, SOURCES_WITH } from '../../service/codes.js';
import type { NewMonitoring, NewSearch } from '../../service/resources.js';
import { type ApiSchema, bodyMistakes } from '../../validation/request-bodies.js';
import { Refusal } from '../refusal.js';
import { unreadableTimestamps } from './timestamp.js';

/**
 * Checks a body against its schema in `schemas/openapi.yaml`. Refuses it with a message for each
 * mistake.
 */
export function checkBody(schema: ApiSchema, body: unknown): void {
  const mistakes = bodyMistakes(schema, body);
  if (mistakes.length > 0) throw new Refusal('invalid', mistakes);
}

/** Reads the body of `POST /monitorings`. Refuses with 400. */
export function checkNewMonitoring(body: unknown): NewMonitoring {
  checkBody('NewMonitoring', body);
  const { title, status, searches } = body as NewMonitoring;
  return { title, status, searches: searches.map(dropIgnoredFields) };
}

/** Reads the body of `POST /monitorings/{id}/title`. Refuses as {@link checkNewMonitoring} does. */
export function checkNewTitle(body: unknown): string {
  checkBody('NewTitle', body);
  return (body as { title: string }).title;
}

/** Reads the body of `POST /monitorings/{id}/searches`. Refuses as {@link checkNewMonitoring} does. */
export function checkNewSearches(body: unknown): readonly NewSearch[] {
  checkBody('AddedSearches', body);
  return (body as { searches: NewSearch[] }).searches.map(dropIgnoredFields);
}

function dropIgnoredFields({ source, query, language, includeComments }: NewSearch): NewSearch {
  const languageCounts = language !== undefined && isOneOf(SOURCES_WITH.language, source);
  const commentsCount =
    includeComments !== undefined && isOneOf(SOURCES_WITH.includeComments, source);
  return {
    source,
    query,
    ...(languageCounts && { language }),
    ...(commentsCount && { includeComments }),
  };
}

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

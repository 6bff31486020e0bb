import type { ImportedDocument } from '../../model/document.js';
import { IMPORT_SOURCE } from '../../service/codes.js';
import { Refusal } from '../refusal.js';
import {
  type Check,
  check,
  filledListOf,
  filledString,
  listOf,
  number,
  object,
  oneOf,
  orNull,
  readTimestamp,
  string,
} from './checks.js';

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
  const faults: string[] = [];
  checkBody(body, '', faults);
  if (faults.length > 0) throw new Refusal('invalid', faults);
  return (body as { documents: readonly CheckedDocument[] }).documents.map(withKnownFields);
}

function withKnownFields(document: CheckedDocument): CheckedDocument {
  const { author } = document;
  const known = pickFields(DOCUMENT_FIELDS, document);
  const person = author && pickFields(AUTHOR_FIELDS, author);
  return person === author ? known : { ...known, ...(person && { author: person }) };
}

/** Returns the object itself if it has no other fields, as in nearly all documents. */
function pickFields<T extends object>(fields: Readonly<Record<string, Check>>, object: T): T {
  const isKnown = (name: string): boolean => Object.hasOwn(fields, name);
  if (Object.keys(object).every(isKnown)) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => isKnown(name))) as T;
}

export const timestamp: Check = check(
  'an ISO 8601 timestamp such as 2024-05-31T08:30:00Z',
  (value) => typeof value === 'string' && readTimestamp(value) !== null,
);

export const metric: Check = object({ name: string, value: number }, ['name', 'value']);

const AUTHOR_FIELDS: Readonly<Record<string, Check>> = {
  source: string,
  sourceId: string,
  username: string,
  annotations: listOf(object({ name: string, value: string }, ['name', 'value'])),
};

const DOCUMENT_FIELDS: Readonly<Record<string, Check>> = {
  source: oneOf([IMPORT_SOURCE]),
  sourceId: filledString,
  parentSourceId: orNull(string),
  text: string,
  language: string,
  sentiment: oneOf(['B', 'N', 'R']),
  detectedLocations: listOf(string),
  published: timestamp,
  downloaded: timestamp,
  url: string,
  metrics: listOf(metric),
  tags: listOf(string),
  author: object(AUTHOR_FIELDS, []),
};

const document = object(DOCUMENT_FIELDS, ['source', 'sourceId', 'text']);
const checkBody = object({ documents: filledListOf(document) }, ['documents']);

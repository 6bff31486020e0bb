import type { ImportedDocument } from '../../document.js';
import { IMPORT_SOURCE } from '../../service/codes.js';
import { Refusal } from '../refusal.js';
import {
  type Check,
  check,
  filledListOf,
  filledString,
  listOf,
  object,
  oneOf,
  orNull,
  string,
} from './checks.js';
import { readTimestamp } from './timestamp.js';

/** A document that passed the check: it has at least these fields. */
export type CheckedDocument = ImportedDocument &
  Readonly<Required<Pick<ImportedDocument, 'source' | 'sourceId' | 'text'>>>;

/**
 * Reads the body of an import call. One bad document refuses the whole call: 400 with a message
 * for each fault, or 413 for too many documents.
 */
export function checkImport(body: unknown, maxDocuments: number): readonly CheckedDocument[] {
  const count = (body as { documents?: { length?: number } } | null)?.documents?.length ?? 0;
  if (count > maxDocuments) {
    throw new Refusal(
      'tooLarge',
      `A call takes at most ${maxDocuments} documents; here are ${count}.`,
    );
  }
  const faults: string[] = [];
  checkBody(body, '', faults);
  if (faults.length > 0) throw new Refusal('invalid', faults);
  return (body as { documents: readonly CheckedDocument[] }).documents;
}

/** Any ISO 8601 timestamp with a whole date. */
export const timestamp: Check = check(
  'an ISO 8601 timestamp such as 2024-05-31T08:30:00Z',
  (value) => typeof value === 'string' && readTimestamp(value) !== null,
);

/** A name and a number. */
export const metric: Check = object({ name: string, value: check('a number', Number.isFinite) }, [
  'name',
  'value',
]);

const author = object(
  {
    source: string,
    sourceId: string,
    username: string,
    annotations: listOf(object({ name: string, value: string }, ['name', 'value'])),
  },
  [],
);

const document = object(
  {
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
    author,
  },
  ['source', 'sourceId', 'text'],
);

const checkBody = object({ documents: filledListOf(document) }, ['documents']);

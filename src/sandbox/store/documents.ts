import type { CheckedDocument } from '../input/imported-documents.js';
import { readTimestamp } from '../input/timestamp.js';
import type { DuplicatesMode } from '../options.js';
import type { Store } from './open-store.js';
import { toStored } from './stored-text.js';

/**
 * Stores the documents of one call in one transaction, in their order; answers how many were
 * stored, which is less than given only where duplicates are ignored.
 */
export function importDocuments(
  store: Store,
  monitoring: number,
  documents: readonly CheckedDocument[],
  duplicates: DuplicatesMode,
): number {
  const now = Date.now();
  return store.transaction('write', () => {
    addAuthors(store, documents);
    let stored = 0;
    for (const document of documents) {
      if (duplicates === 'ignore' && isThere(store, monitoring, document)) continue;
      if (duplicates === 'replace') remove(store, monitoring, document);
      addDocument(store, monitoring, document, now);
      stored += 1;
    }
    return stored;
  });
}

/** One statement for all: asking for each author apart takes as long as storing the documents. */
function addAuthors(store: Store, documents: readonly CheckedDocument[]): void {
  const known = documents.map(authorKey).filter((key) => key !== null);
  store.run(
    `INSERT INTO authors (source, source_key)
     SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
    [JSON.stringify(known)],
  );
}

/** What makes two authors the same; `null` for an author without a sourceId. */
function authorKey({ author, source }: CheckedDocument): [string, string] | null {
  if (author?.sourceId === undefined) return null;
  return [toStored(author.source ?? source), toStored(author.sourceId)];
}

function isThere(store: Store, monitoring: number, document: CheckedDocument): boolean {
  const sql =
    'SELECT 1 FROM documents WHERE monitoring_id = ? AND source_key = ? AND source = ? LIMIT 1';
  const values = [monitoring, toStored(document.sourceId), document.source];
  return store.all(sql, values).length > 0;
}

function remove(store: Store, monitoring: number, document: CheckedDocument): void {
  store.run('DELETE FROM documents WHERE monitoring_id = ? AND source_key = ? AND source = ?', [
    monitoring,
    toStored(document.sourceId),
    document.source,
  ]);
}

function addDocument(
  store: Store,
  monitoring: number,
  document: CheckedDocument,
  now: number,
): void {
  const key = authorKey(document);
  const author = key === null ? addNamelessAuthor(store, document) : null;
  store.run(
    `INSERT INTO documents (monitoring_id, source, source_key, published_ms, author_id, body)
     VALUES (?, ?, ?, ?,
       coalesce(?, (SELECT id FROM authors WHERE source = ? AND source_key = ?)), ?)`,
    [
      monitoring,
      document.source,
      toStored(document.sourceId),
      countsAsPublished(document, now),
      author,
      ...(key ?? [null, null]),
      JSON.stringify(document),
    ],
  );
}

function addNamelessAuthor(store: Store, { author, source }: CheckedDocument): number {
  const values = [toStored(author?.source ?? source)];
  return store.run('INSERT INTO authors (source) VALUES (?)', values).lastId;
}

/** A document without a publication time must still be found. */
function countsAsPublished({ published, downloaded }: CheckedDocument, now: number): number {
  const sent = published ?? downloaded;
  return (sent === undefined ? null : readTimestamp(sent)) ?? now;
}

import type { IdRange, Store } from './database.js';
import type { PreparedDocuments } from './prepare-documents.js';

/**
 * Stores the documents of one call in their order, in one transaction. Documents with a known
 * sourceId are stored again, so that duplicates are visible.
 * @param hiddenForMs time before the documents become visible, in milliseconds
 */
export function addDocuments(
  store: Store,
  documents: PreparedDocuments,
  hiddenForMs: number = 0,
): void {
  if (documents.count === 0) return;
  store.transaction('write', () => {
    const ids = insertAll(store, documents);
    if (hiddenForMs > 0) store.visibility.hide(ids, hiddenForMs);
  });
}

function insertAll(store: Store, documents: PreparedDocuments): IdRange {
  const firstAnonymous = addAuthors(store, documents);
  const { lastId } = store.run(INSERT_DOCUMENTS, [
    documents.monitoring,
    firstAnonymous,
    documents.documents,
  ]);
  const firstId = lastId - documents.count + 1;
  store.run('INSERT INTO bodies SELECT ? + key, value FROM json_each(?)', [
    firstId,
    documents.bodies,
  ]);
  store.run('INSERT INTO documents_text (rowid, words) SELECT ? + key, value FROM json_each(?)', [
    firstId,
    documents.words,
  ]);
  if (documents.tags !== '[]') store.run(INSERT_TAGS, [firstId, documents.tags]);
  if (documents.reviewers !== '[]') store.run(INSERT_REVIEWERS, [firstId, documents.reviewers]);
  return [firstId, lastId];
}

/** Adds new authors and updates known ones; returns the id of the first anonymous one. */
function addAuthors(store: Store, documents: PreparedDocuments): number {
  const { authors, anonymous, authorTags } = documents;
  if (authors !== '[]') store.run(INSERT_AUTHORS, [authors]);
  if (authorTags !== '[]') store.run(INSERT_AUTHOR_TAGS, [authorTags]);
  if (anonymous === '[]') return 0;
  const { lastId, changes } = store.run(INSERT_ANONYMOUS, [anonymous]);
  return lastId - changes + 1;
}

const AUTHOR_CELLS = `
  value ->> 0, value ->> 1, value ->> 2, coalesce(value ->> 3, ''), coalesce(value ->> 4, ''),
  coalesce(value ->> 5, ''), coalesce(value ->> 6, 0), coalesce(value ->> 7, 0),
  coalesce(value ->> 8, 0), value ->> 9`;
const AUTHOR_COLUMNS = `
  source, source_key, username, username_words, name_words,
  about_words, is_verified, has_personal_url, followers, profile`;

const INSERT_ANONYMOUS = `
  INSERT INTO authors (${AUTHOR_COLUMNS}) SELECT ${AUTHOR_CELLS} FROM json_each(?)`;

/** The latest values win; values that a document lacks are left unchanged. */
const INSERT_AUTHORS = `
  INSERT INTO authors (${AUTHOR_COLUMNS}) SELECT ${AUTHOR_CELLS} FROM json_each(?) WHERE true
  ON CONFLICT DO UPDATE SET
    username = coalesce(excluded.username, username),
    username_words = iif(excluded.username IS NULL, username_words, excluded.username_words),
    name_words = iif(excluded.profile IS NULL, name_words, excluded.name_words),
    about_words = iif(excluded.profile IS NULL, about_words, excluded.about_words),
    is_verified = iif(excluded.profile IS NULL, is_verified, excluded.is_verified),
    has_personal_url = iif(excluded.profile IS NULL, has_personal_url, excluded.has_personal_url),
    followers = iif(excluded.profile IS NULL, followers, excluded.followers),
    profile = coalesce(excluded.profile, profile)
  WHERE excluded.profile IS NOT NULL
    OR (excluded.username IS NOT NULL AND excluded.username IS NOT username)`;

const INSERT_AUTHOR_TAGS = `
  INSERT INTO author_tags (tag, author_id)
  SELECT value ->> 2, a.id FROM json_each(?)
  JOIN authors AS a ON a.source = value ->> 0 AND a.source_key = value ->> 1
  WHERE true ON CONFLICT DO NOTHING`;

const INSERT_DOCUMENTS = `
  INSERT INTO documents (
    monitoring_id, author_id, source, source_key, parent_key, published_ms, downloaded_s,
    language, sentiment, likes, comments, shares, impressions
  )
  SELECT
    ?,
    coalesce(
      ? + (value ->> 13),
      (SELECT id FROM authors WHERE source = value ->> 11 AND source_key = value ->> 12)
    ),
    value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
    value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10
  FROM json_each(?)`;

const INSERT_TAGS = `
  INSERT INTO document_tags (document_id, tag)
  SELECT ? + (value ->> 0), value ->> 1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`;

const INSERT_REVIEWERS = `
  INSERT INTO document_reviewers (document_id, reviewer)
  SELECT ? + (value ->> 0), value ->> 1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`;

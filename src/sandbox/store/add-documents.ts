import type { DuplicatesMode } from '../options.js';
import type { IdRange, Store } from './database.js';
import type { PreparedDocuments } from './prepare-documents.js';

/** How documents are stored. */
interface Manner {
  /** What becomes of a document whose source and sourceId its monitoring already holds. */
  readonly duplicates: DuplicatesMode;
  /** How long they stay out of every answer, in milliseconds; 0: not at all. */
  readonly hiddenForMs: number;
}

/**
 * Stores the documents of one call in one transaction, in their order, and answers how many count
 * as stored: fewer than given only where duplicates are ignored.
 */
export function addDocuments(
  store: Store,
  documents: PreparedDocuments,
  { duplicates, hiddenForMs }: Manner,
): number {
  return store.transaction('write', () => {
    const { keep, answered } = settleDuplicates(store, documents, duplicates);
    if (keep.count > 0) {
      const ids = insertAll(store, keep);
      if (hiddenForMs > 0) store.visibility.hide(ids, hiddenForMs);
    }
    return answered;
  });
}

function insertAll(store: Store, documents: PreparedDocuments): IdRange {
  const firstNameless = addAuthors(store, documents);
  const { lastId } = store.run(INSERT_DOCUMENTS, [
    documents.monitoring,
    firstNameless,
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

/** Adds new authors and updates known ones; answers the id of the first nameless one. */
function addAuthors(store: Store, documents: PreparedDocuments): number {
  const { authors, nameless, authorTags } = documents;
  if (authors !== '[]') store.run(INSERT_AUTHORS, [authors]);
  if (authorTags !== '[]') store.run(INSERT_AUTHOR_TAGS, [authorTags]);
  if (nameless === '[]') return 0;
  const { lastId, changes } = store.run(INSERT_NAMELESS, [nameless]);
  return lastId - changes + 1;
}

const AUTHOR_CELLS = `
  value ->> 0, value ->> 1, value ->> 2, coalesce(value ->> 3, ''), coalesce(value ->> 4, ''),
  coalesce(value ->> 5, ''), coalesce(value ->> 6, 0), coalesce(value ->> 7, 0),
  coalesce(value ->> 8, 0), value ->> 9`;
const AUTHOR_COLUMNS = `
  source, source_key, username, username_words, name_words,
  about_words, is_verified, has_personal_url, followers, profile`;

const INSERT_NAMELESS = `
  INSERT INTO authors (${AUTHOR_COLUMNS}) SELECT ${AUTHOR_CELLS} FROM json_each(?)`;

/** The last one wins; what a document does not tell of its author stays as it was. */
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

/** Which documents are to be inserted, and how many of the given ones that answers for. */
interface Settled {
  readonly keep: PreparedDocuments;
  readonly answered: number;
}

/** Leaves out what the monitoring holds already, or takes away what stands in its place. */
function settleDuplicates(
  store: Store,
  documents: PreparedDocuments,
  mode: DuplicatesMode,
): Settled {
  if (mode === 'keep') return { keep: documents, answered: documents.count };
  const keys = (JSON.parse(documents.documents) as [string, string][]).map(
    ([source, key]) => `${source} ${key}`,
  );
  if (mode === 'replace') {
    removeAll(store, documents);
    const positions = [...new Map(keys.map((key, position) => [key, position])).values()];
    positions.sort((a, b) => a - b);
    return { keep: pick(documents, positions), answered: documents.count };
  }
  const seen = keysThere(store, documents);
  const positions = keys.flatMap((key, position) => {
    if (seen.has(key)) return [];
    seen.add(key);
    return [position];
  });
  return { keep: pick(documents, positions), answered: positions.length };
}

function keysThere(store: Store, { monitoring, documents }: PreparedDocuments): Set<string> {
  const sql = `
    SELECT DISTINCT d.source || ' ' || d.source_key AS key
    FROM json_each(?) AS given
    JOIN documents AS d ON d.monitoring_id = ?
      AND d.source_key = given.value ->> 1 AND d.source = given.value ->> 0`;
  return new Set(store.all<{ key: string }>(sql, [documents, monitoring]).map(({ key }) => key));
}

function removeAll(store: Store, { monitoring, documents }: PreparedDocuments): void {
  const sql = `
    SELECT d.id FROM json_each(?) AS given
    JOIN documents AS d ON d.monitoring_id = ?
      AND d.source_key = given.value ->> 1 AND d.source = given.value ->> 0`;
  const ids = JSON.stringify(
    store.all<{ id: number }>(sql, [documents, monitoring]).map(({ id }) => id),
  );
  if (ids === '[]') return;
  const given = 'IN (SELECT value FROM json_each(?))';
  store.run(`DELETE FROM document_tags WHERE document_id ${given}`, [ids]);
  store.run(`DELETE FROM document_reviewers WHERE document_id ${given}`, [ids]);
  store.run(`DELETE FROM bodies WHERE id ${given}`, [ids]);
  store.run(`DELETE FROM documents WHERE id ${given}`, [ids]);
}

/** The documents at these positions; authors stay, as they were seen all the same. */
function pick(documents: PreparedDocuments, positions: readonly number[]): PreparedDocuments {
  const places = new Map(positions.map((position, place) => [position, place]));
  const pairs = (text: string): string =>
    JSON.stringify(
      (JSON.parse(text) as [number, unknown][])
        .filter(([position]) => places.has(position))
        .map(([position, value]) => [places.get(position), value]),
    );
  return {
    ...documents,
    count: positions.length,
    bodies: pickRows(documents.bodies, positions),
    words: pickRows(documents.words, positions),
    documents: pickRows(documents.documents, positions),
    tags: pairs(documents.tags),
    reviewers: pairs(documents.reviewers),
  };
}

/** The entries at these positions of a list in JSON. */
function pickRows(list: string, positions: readonly number[]): string {
  const all = JSON.parse(list) as unknown[];
  return JSON.stringify(positions.map((position) => all[position]));
}

import type { DuplicatesMode } from '../options.js';
import type { Store } from './open-store.js';

/**
 * Documents made ready for the database: rows as JSON texts, which cross to the store's thread as
 * they are and which SQLite unpacks by itself. Made where the call is read, so that the store's
 * thread has nothing to do but to store.
 */
export interface PreparedDocuments {
  /** The id of the monitoring that takes them. */
  readonly monitoring: number;
  readonly count: number;
  /** The documents, JSON as they came. */
  readonly bodies: string;
  /** A row a document, as the statements below unpack it. */
  readonly documents: string;
  /** The words of scope, title and text of each document, as one text. */
  readonly words: string;
  /** Whether any author comes with a profile. */
  readonly profiles: boolean;
  /** Authors that have a sourceId; one row a document. */
  readonly authors: string;
  /** Authors without one; a document's row holds its position here. */
  readonly nameless: string;
  /** Pairs of a document's position and a tag. */
  readonly tags: string;
  /** Pairs of a document's position and a user's id. */
  readonly reviewers: string;
  /** A source, a sourceId and a tag. */
  readonly authorTags: string;
}

/** How documents are stored. */
export interface Manner {
  /** What becomes of a document whose source and sourceId its monitoring already holds. */
  readonly duplicates: DuplicatesMode;
  /** How long they stay out of every answer, in milliseconds; 0: not at all. */
  readonly hiddenForMs: number;
}

/**
 * Stores the documents of one call in one transaction, in their order; answers how many were
 * stored, which is less than given only where duplicates are ignored.
 */
export function addDocuments(
  store: Store,
  documents: PreparedDocuments,
  { duplicates, hiddenForMs }: Manner,
): number {
  return store.transaction('write', () => {
    const settled = settleDuplicates(store, documents, duplicates);
    if (settled.keep.count === 0) return settled.answered;
    const ids = insertAll(store, settled.keep);
    if (hiddenForMs > 0) store.visibility.hide(ids, hiddenForMs);
    return settled.answered;
  });
}

/** Which documents are to be inserted, and how many of the given ones that answers for. */
interface Settled {
  readonly keep: PreparedDocuments;
  readonly answered: number;
}

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
    const last = new Set(new Map(keys.map((key, position) => [key, position])).values());
    return { keep: pick(documents, (position) => last.has(position)), answered: documents.count };
  }
  const seen = keysThere(store, documents);
  const keep = pick(documents, (position) => {
    const key = keys[position] ?? '';
    return !seen.has(key) && seen.add(key) !== undefined;
  });
  return { keep, answered: keep.count };
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
  store.run(`DELETE FROM documents_text WHERE rowid ${given}`, [ids]);
  store.run(`DELETE FROM document_tags WHERE document_id ${given}`, [ids]);
  store.run(`DELETE FROM document_reviewers WHERE document_id ${given}`, [ids]);
  store.run(`DELETE FROM bodies WHERE id ${given}`, [ids]);
  store.run(`DELETE FROM documents WHERE id ${given}`, [ids]);
}

/** The documents at the positions that are wanted; authors stay, as they were seen all the same. */
function pick(
  documents: PreparedDocuments,
  wanted: (position: number) => boolean,
): PreparedDocuments {
  const positions = Array.from({ length: documents.count }, (_, position) => position);
  const kept = positions.filter(wanted);
  const rows = (text: string): string => {
    const all = JSON.parse(text) as unknown[];
    return JSON.stringify(kept.map((position) => all[position]));
  };
  const places = new Map(kept.map((position, place) => [position, place]));
  const pairs = (text: string): string =>
    JSON.stringify(
      (JSON.parse(text) as [number, unknown][])
        .filter(([position]) => places.has(position))
        .map(([position, value]) => [places.get(position), value]),
    );
  return {
    ...documents,
    count: kept.length,
    bodies: rows(documents.bodies),
    documents: rows(documents.documents),
    words: rows(documents.words),
    tags: pairs(documents.tags),
    reviewers: pairs(documents.reviewers),
  };
}

function insertAll(store: Store, documents: PreparedDocuments): readonly [number, number] {
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
  store.run(INSERT_WORDS, [firstId, documents.words]);
  if (documents.tags !== '[]') store.run(INSERT_TAGS, [firstId, documents.tags]);
  if (documents.reviewers !== '[]') store.run(INSERT_REVIEWERS, [firstId, documents.reviewers]);
  return [firstId, lastId];
}

/** Adds new authors and updates known ones; answers the id of the first nameless one. */
function addAuthors(store: Store, documents: PreparedDocuments): number {
  const { profiles, authors, nameless, authorTags } = documents;
  if (authors !== '[]') store.run(profiles ? INSERT_AUTHORS : INSERT_AUTHOR_NAMES, [authors]);
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
  WHERE excluded.profile IS NOT NULL OR excluded.username IS NOT username`;

/** The same for authors of whom only the name is known, as in every import. */
const INSERT_AUTHOR_NAMES = `
  INSERT INTO authors (source, source_key, username, username_words)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true
  ON CONFLICT DO UPDATE SET username = excluded.username, username_words = excluded.username_words
  WHERE excluded.username IS NOT NULL AND excluded.username IS NOT username`;

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

const INSERT_WORDS = `
  INSERT INTO documents_text (rowid, words) SELECT ? + key, value FROM json_each(?)`;

const INSERT_TAGS = `
  INSERT INTO document_tags (document_id, tag)
  SELECT ? + (value ->> 0), value ->> 1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`;

const INSERT_REVIEWERS = `
  INSERT INTO document_reviewers (document_id, reviewer)
  SELECT ? + (value ->> 0), value ->> 1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`;

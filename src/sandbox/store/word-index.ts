import path from 'node:path';
import { openDatabase, type Store } from './database.js';

/**
 * The index of words has a database of its own, since a database has one writer at a time and the
 * index takes as long to write as the documents. Documents are stored first; which of them have
 * their words here, `indexed` says, so that none is left out and none comes twice, whoever dies and
 * however many processes write.
 */
export function wordsFile(data: string): string {
  return path.join(data, 'words.db');
}

/** It is written at its end and in its newest parts. */
const CACHE_KIB = 32_000;

/** Opens the index in the folder `data` for writing, and makes its tables in a new one. */
export function openWordIndex(data: string): Store {
  const index = openDatabase(wordsFile(data), CACHE_KIB);
  index.transaction('write-all', () => {
    const [tables] = index.all<{ count: number }>('SELECT count(*) AS count FROM sqlite_schema');
    if (tables?.count === 0) createWordIndex(index, 'main');
  });
  return index;
}

/**
 * The words of title and text, folded by words.ts and with spaces between, which is all that this
 * tokenizer splits at; FTS5's tokenizer for Unicode takes emoji of the last decade for letters.
 * Before them stand the words of scope-words.ts: with them, looking for a word reads what a window
 * holds of it. Words of a document that was replaced stay: its id is never used again.
 *
 * Parts of the index are merged less often: imports get quicker, questions hardly slower.
 */
export function createWordIndex(store: Store, database: 'main' | 'words'): void {
  store.script(`
    CREATE VIRTUAL TABLE ${database}.documents_text USING fts5 (
      words, content = '', columnsize = 0, tokenize = 'ascii'
    );
    INSERT INTO ${database}.documents_text (documents_text, rank) VALUES ('automerge', 16);
    -- Ranges of document ids, both ends included.
    CREATE TABLE ${database}.indexed (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);
  `);
}

/**
 * Adds the words of documents with consecutive ids, but for those that are there already.
 * @param words a JSON list with one text a document
 */
export function addWords(store: Store, first: number, last: number, words: string): void {
  store.transaction('write-all', () => {
    const known = store.all('SELECT 1 FROM indexed WHERE first <= ? AND last >= ?', [last, first]);
    if (known.length === 0) store.run(INSERT, [first, words]);
    else store.run(INSERT_MISSING, [first, words, first]);
    const { changes } = store.run('UPDATE indexed SET last = ? WHERE last = ?', [last, first - 1]);
    if (changes === 0) store.run(INSERT_RANGE, [first, last]);
  });
}

const INSERT = 'INSERT INTO documents_text (rowid, words) SELECT ? + key, value FROM json_each(?)';

const INSERT_MISSING = `${INSERT}
  WHERE NOT EXISTS (SELECT 1 FROM indexed WHERE ? + key BETWEEN first AND last)`;

const INSERT_RANGE = `
  INSERT INTO indexed (first, last) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET last = max(last, excluded.last)`;

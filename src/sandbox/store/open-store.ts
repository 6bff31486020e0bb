import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../../model/errors.js';
import { makeFolder } from '../../model/small-file.js';
import { openDatabase, type Store } from './database.js';

/** Opens the sandbox's database in the folder `data`, or in memory. Throws {@link OptionError}. */
export function openStore(data: string): Store {
  try {
    const store = openDatabase(data === ':memory:' ? data : databaseFile(data));
    store.transaction('write', () => createTables(store, data));
    return store;
  } catch (error) {
    if (error instanceof OptionError) throw error;
    throw new OptionError(
      `The sandbox can't keep its data in "${data}": ${(error as Error).message}. ` +
        'Make room on the disk, or give a folder that can be written to.',
    );
  }
}

/**
 * Creates the database file, readable by its owner only. An existing one isn't opened: closing it
 * would release the locks that another sandbox of this process holds on it.
 */
function databaseFile(data: string): string {
  makeFolder(data);
  const file = path.join(data, 'sandbox.db');
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
  return file;
}

function createTables(store: Store, data: string): void {
  const found = store.all<{ user_version: number }>('PRAGMA user_version')[0]?.user_version ?? 0;
  if (found === SCHEMA_VERSION) return;
  if (found !== 0) {
    throw new OptionError(
      `The data in "${data}" was written by another version of docferry; remove the folder, or use a different one.`,
    );
  }
  store.script(SCHEMA);
  store.all(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/**
 * Version of the tables, stored in `user_version`; a database of another version is refused. No
 * foreign keys: libsql checks them by default, which slows down imports.
 *
 * Texts that are compared or read are stored in the form of `words.ts`.
 */
const SCHEMA_VERSION = 4;

const SCHEMA = `
  CREATE TABLE monitorings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    status TEXT NOT NULL
  );

  CREATE TABLE searches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    monitoring_id INTEGER NOT NULL,
    body TEXT NOT NULL,             -- JSON: source, query, language, includeComments
    last_processed TEXT
  );
  CREATE INDEX searches_of_monitoring ON searches (monitoring_id, id);

  -- Latest state of each author. Those without a sourceId (source_key NULL) are never merged.
  CREATE TABLE authors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    source_key TEXT,
    username TEXT,
    username_words TEXT NOT NULL DEFAULT '',  -- folded words, a space before and after each
    name_words TEXT NOT NULL DEFAULT '',
    about_words TEXT NOT NULL DEFAULT '',
    is_verified INTEGER NOT NULL DEFAULT 0,
    has_personal_url INTEGER NOT NULL DEFAULT 0,
    followers REAL NOT NULL DEFAULT 0,
    profile TEXT,                   -- JSON; NULL when the author is known from imports only
    UNIQUE (source, source_key)
  );

  CREATE TABLE author_tags (
    tag TEXT NOT NULL,
    author_id INTEGER NOT NULL,
    PRIMARY KEY (tag, author_id)
  ) WITHOUT ROWID;

  -- The fields for filters and rankings only, in narrow rows, so that a scan reads few pages.
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    monitoring_id INTEGER NOT NULL,
    source TEXT NOT NULL,
    source_key TEXT NOT NULL,       -- the sourceId
    parent_key TEXT,                -- the parentSourceId
    published_ms INTEGER NOT NULL,  -- effective time of publication, ms since 1970
    downloaded_s INTEGER NOT NULL,  -- effective time of download, s since 1970
    language TEXT,
    sentiment TEXT,
    author_id INTEGER NOT NULL,
    likes REAL NOT NULL,
    comments REAL NOT NULL,
    shares REAL NOT NULL,
    impressions REAL NOT NULL
  );
  -- Covers what filters and rankings need, so that a time window never touches the table, whose
  -- rows are in order of import.
  CREATE INDEX documents_by_time ON documents (
    monitoring_id, published_ms, id, source, sentiment, language,
    author_id, likes, comments, shares, impressions
  );
  CREATE INDEX documents_by_download ON documents (monitoring_id, downloaded_s, id);
  CREATE INDEX documents_by_key ON documents (monitoring_id, source_key);
  CREATE INDEX documents_by_parent ON documents (monitoring_id, parent_key, published_ms)
    WHERE parent_key IS NOT NULL;

  -- The documents as received, in JSON.
  CREATE TABLE bodies (id INTEGER PRIMARY KEY, body TEXT NOT NULL);

  -- The words of title and text, folded by words.ts and separated by spaces, the only place where
  -- this tokenizer splits; FTS5's Unicode tokenizer takes emoji of the last decade for letters.
  CREATE VIRTUAL TABLE documents_text USING fts5 (
    words, content = '', columnsize = 0, tokenize = 'ascii'
  );
  -- Merge parts of the index less often: imports get faster, queries hardly slower.
  INSERT INTO documents_text (documents_text, rank) VALUES ('automerge', 16);

  CREATE TABLE document_tags (
    tag TEXT NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (tag, document_id)
  ) WITHOUT ROWID;

  CREATE TABLE document_reviewers (
    reviewer INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (reviewer, document_id)
  ) WITHOUT ROWID;
`;

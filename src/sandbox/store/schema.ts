/**
 * The steps that build the tables, in order. The database's `user_version` counts the ones taken,
 * so a change is a new step at the end, never an edit of an old one. No foreign keys: libsql checks
 * them by default, which slows an import down, and nothing that others point to is ever removed.
 */
export const SCHEMA_STEPS: readonly string[] = [
  `
  CREATE TABLE monitorings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,            -- stored text
    status TEXT NOT NULL
  );

  CREATE TABLE searches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    monitoring_id INTEGER NOT NULL,
    body TEXT NOT NULL,             -- JSON: source, query, language, includeComments
    last_processed TEXT
  );
  CREATE INDEX searches_of_monitoring ON searches (monitoring_id, id);

  -- An author without a sourceId (source_key NULL) is nobody else's.
  CREATE TABLE authors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,           -- stored text
    source_key TEXT,                -- the sourceId, as stored text
    UNIQUE (source, source_key)
  );

  CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    monitoring_id INTEGER NOT NULL,
    source TEXT NOT NULL,
    source_key TEXT NOT NULL,       -- the sourceId, as stored text
    published_ms INTEGER NOT NULL,  -- when it counts as published, milliseconds since 1970
    author_id INTEGER NOT NULL,
    body TEXT NOT NULL              -- the document as imported, JSON
  );
  -- Holds all that a time window needs, so that counting and skipping never touch the table.
  CREATE INDEX documents_by_time ON documents (monitoring_id, published_ms, id, source);
  CREATE INDEX documents_by_source_key ON documents (monitoring_id, source_key);
  `,
];

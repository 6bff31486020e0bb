/** Tables and functions in Postgres, and their creation. */
import { OptionError } from '../../../model/errors.js';
import type { DatabaseAddress } from '../../state-address.js';
import type { Transaction } from './transaction.js';

/**
 * Reports, options and record names are JSON in `text` columns: `json` and `jsonb` refuse some
 * characters that reviews contain. Clients number intents and outcomes themselves, so that an
 * interrupted commit can be repeated: see `session.ts`.
 *
 * - `settings`: parameters that all processes share; see `SharedSettings`.
 * - `targets`: if `owner` isn't empty, the run or group with that id doesn't share claims with others.
 * - `groups`: imports in shards. What isn't known is null until a process has read the inputs.
 * - `runs`: `held` by a process's session, or `ended`. `starts` counts the processes that took it.
 *   Shards of a group have a number, from 1, and in `counts` their progress, in the order of `COUNTED`;
 *   one that is `done` has nothing left to do.
 * - `rejects`: rejected records of a shard, as its last process found them.
 * - `intents`: `accepted` if all of its documents were.
 * - `claims`: a document whose intent is null or belongs to a pruned run was accepted.
 */
const TABLES = `
CREATE TABLE docferry.settings (
  beat_ms integer NOT NULL,
  expiry_ms integer NOT NULL,
  margin_ms integer NOT NULL
);
INSERT INTO docferry.settings VALUES (5000, 30000, 10000);
CREATE TABLE docferry.targets (
  target integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  service text NOT NULL,
  monitoring bigint NOT NULL,
  owner text NOT NULL,
  UNIQUE (service, monitoring, owner)
);
CREATE TABLE docferry.sessions (
  session integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  seen timestamptz NOT NULL DEFAULT clock_timestamp(),
  fenced boolean NOT NULL DEFAULT false
);
CREATE TABLE docferry.groups (
  group_number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL UNIQUE,
  started timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  shards integer,
  target integer REFERENCES docferry.targets,
  version text,
  description text,
  plan text
);
CREATE TABLE docferry.runs (
  run integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  target integer NOT NULL REFERENCES docferry.targets,
  state text NOT NULL,
  session integer,
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  version text NOT NULL,
  starts integer NOT NULL DEFAULT 0,
  group_number integer REFERENCES docferry.groups,
  shard integer,
  done boolean NOT NULL DEFAULT false,
  counts bigint[]
);
CREATE UNIQUE INDEX runs_of_group ON docferry.runs (group_number, shard);
CREATE TABLE docferry.facts (
  run integer NOT NULL REFERENCES docferry.runs ON DELETE CASCADE,
  name text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (run, name)
);
CREATE TABLE docferry.rejects (
  run integer NOT NULL,
  number integer NOT NULL,
  lines text NOT NULL,
  PRIMARY KEY (run, number)
);
CREATE TABLE docferry.entries (
  run integer NOT NULL,
  number bigint NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  intent bigint NOT NULL,
  records text NOT NULL,
  message text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (run, number)
);
CREATE INDEX entries_in_order ON docferry.entries (run, place);
CREATE TABLE docferry.intents (
  run integer NOT NULL,
  intent bigint NOT NULL,
  ids text NOT NULL,
  digests bytea NOT NULL,
  published text NOT NULL,
  accepted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (run, intent)
);
CREATE TABLE docferry.claims (
  target integer NOT NULL,
  id uuid NOT NULL,
  content bigint NOT NULL,
  run integer NOT NULL,
  intent bigint,
  PRIMARY KEY (target, id)
) PARTITION BY HASH (target, id);
DO $$ BEGIN
  FOR i IN 0..31 LOOP
    EXECUTE format('CREATE TABLE docferry.claims_%s PARTITION OF docferry.claims FOR VALUES WITH (MODULUS 32, REMAINDER %s)', i, i);
  END LOOP;
END $$;`;

/**
 * Writes outcomes and then intents with their claims in one transaction, unless another session has
 * taken over. Idempotent.
 *
 * Claims are inserted in the order of their ids, so that two sessions that claim the same documents
 * can't deadlock. Existing claims are locked until the end; if one was released meanwhile, the
 * insert is repeated.
 *
 * Connections cache plans, and a plan made for a table that was small or empty may scan it when it
 * is large. So scans are off, and rows are updated one by one by their full keys; statements that
 * join claims are rare and planned each time (`EXECUTE`), which takes milliseconds for all
 * partitions.
 * @returns claims that other intents hold, by index from 1; `related`: of this run or its group
 */
const WRITE = `
CREATE FUNCTION docferry.write(
  p_run integer, p_session integer, p_target integer,
  s_numbers bigint[], s_intents bigint[], s_kinds text[], s_records text[], s_messages text[],
  accepted_intents bigint[],
  a_ids uuid[], a_intents bigint[], r_ids uuid[], r_intents bigint[],
  i_numbers bigint[], i_records text[], i_ids text[], i_digests bytea[], i_published text[],
  c_ids uuid[], c_contents bigint[], c_intents bigint[]
) RETURNS TABLE (place integer, content bigint, related boolean, accepted boolean)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  claim_count integer := coalesce(cardinality(c_ids), 0);
  -- Requests written together may claim the same document.
  distinct_ids integer := (SELECT count(DISTINCT c.id) FROM unnest(c_ids) AS c(id));
  number bigint;
  inserted integer;
  present integer;
BEGIN
  PERFORM FROM docferry.sessions AS s WHERE s.session = p_session AND NOT s.fenced FOR KEY SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'fenced' USING ERRCODE = 'DF001'; END IF;

  IF cardinality(s_numbers) > 0 THEN
    INSERT INTO docferry.entries (run, number, kind, intent, records, message)
      SELECT p_run, s.number, s.kind, s.intent, s.records, s.message
      FROM unnest(s_numbers, s_intents, s_kinds, s_records, s_messages) WITH ORDINALITY
        AS s(number, intent, kind, records, message, at)
      ORDER BY s.at
      ON CONFLICT DO NOTHING;
    FOREACH number IN ARRAY accepted_intents LOOP
      UPDATE docferry.intents AS i SET accepted = true WHERE i.run = p_run AND i.intent = number;
    END LOOP;
    IF cardinality(a_ids) > 0 THEN
      EXECUTE 'UPDATE docferry.claims AS k SET intent = NULL FROM unnest($2, $3) AS a(id, intent)
        WHERE k.target = $1 AND k.id = a.id AND k.intent = a.intent'
        USING p_target, a_ids, a_intents;
    END IF;
    IF cardinality(r_ids) > 0 THEN
      EXECUTE 'DELETE FROM docferry.claims AS k USING unnest($2, $3) AS r(id, intent)
        WHERE k.target = $1 AND k.id = r.id AND k.intent = r.intent'
        USING p_target, r_ids, r_intents;
    END IF;
  END IF;
  IF coalesce(cardinality(i_numbers), 0) = 0 THEN RETURN; END IF;

  INSERT INTO docferry.entries (run, number, kind, intent, records, message)
    SELECT p_run, i.number, 'intent', i.number, i.records, '""'
    FROM unnest(i_numbers, i_records) WITH ORDINALITY AS i(number, records, at) ORDER BY i.at
    ON CONFLICT DO NOTHING;
  INSERT INTO docferry.intents (run, intent, ids, digests, published)
    SELECT p_run, i.number, i.ids, i.digests, i.published
    FROM unnest(i_numbers, i_ids, i_digests, i_published) AS i(number, ids, digests, published)
    ON CONFLICT DO NOTHING;
  LOOP
    INSERT INTO docferry.claims (target, id, content, run, intent)
      SELECT p_target, c.id, c.content, p_run, c.intent
      FROM unnest(c_ids, c_contents, c_intents) AS c(id, content, intent) ORDER BY c.id
      ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS inserted = ROW_COUNT;
    IF inserted = claim_count THEN RETURN; END IF;
    EXECUTE 'SELECT count(*) FROM (
      SELECT FROM docferry.claims AS k WHERE k.target = $1 AND k.id = ANY ($2)
      ORDER BY k.id FOR KEY SHARE OF k) AS there'
      INTO present USING p_target, c_ids;
    EXIT WHEN present = distinct_ids;
  END LOOP;
  RETURN QUERY EXECUTE 'SELECT c.place::integer, k.content,
      k.run = $4 OR coalesce(r.group_number = (SELECT o.group_number FROM docferry.runs AS o WHERE o.run = $4), false),
      k.intent IS NULL OR coalesce(i.accepted, true)
    FROM unnest($2, $3) WITH ORDINALITY AS c(id, intent, place)
    JOIN docferry.claims AS k
      ON k.target = $1 AND k.id = c.id AND k.intent IS DISTINCT FROM c.intent
    LEFT JOIN docferry.runs AS r ON r.run = k.run
    LEFT JOIN docferry.intents AS i ON i.run = k.run AND i.intent = k.intent'
    USING p_target, c_ids, c_intents, p_run;
END $$;`;

export const VERSION = 11;

/** The last version whose imports were processed by workers. */
const LAST_OF_WORKERS = 10;

/** Advisory lock that serialises the creation of tables. */
const MIGRATION_LOCK = 0x64_66_6d;

/** The part of a database that creating its tables needs. */
interface NewDatabase extends Transaction {
  readonly address: Pick<DatabaseAddress, 'shown'>;
  transaction(use: (transaction: Transaction) => Promise<void>): Promise<void>;
}

/**
 * Creates docferry's tables, unless they exist.
 * @throws OptionError if the tables have another version
 */
export async function createTables(database: NewDatabase): Promise<void> {
  if ((await versionOf(database)) === VERSION) return;
  await database.transaction(async (transaction) => {
    await transaction.rows('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const version = await versionOf(transaction);
    if (version === VERSION) return;
    if (version !== 0) throw wrongVersion(database.address.shown, version);
    await transaction.rows('CREATE SCHEMA IF NOT EXISTS docferry');
    await transaction.rows(`${TABLES}\n${WRITE}`);
    await transaction.rows(
      `CREATE TABLE docferry.migrations AS SELECT ${VERSION} AS number, clock_timestamp() AS at`,
    );
  });
}

function wrongVersion(place: string, version: number): OptionError {
  const reason =
    version <= LAST_OF_WORKERS
      ? 'by a docferry whose imports were processed by workers: finish them with that docferry, and name an empty database here. It does not know what was imported before, so import only new files with it'
      : `by another version of docferry (its tables have version ${version}, and this docferry needs ${VERSION}): use that version here, too, or name another database`;
  return new OptionError(`The state ${place} was created ${reason}.`);
}

/**
 * Version of the tables, or 0 if there are none. Reads `pg_class` because `to_regclass` may answer
 * from the connection's cache, which misses tables created while it waited for the lock.
 */
async function versionOf(reader: Transaction): Promise<number> {
  const found = await reader.rows(
    `SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = 'docferry' AND c.relname = 'migrations'`,
  );
  if (found.length === 0) return 0;
  const [row] = await reader.rows<{ version: number }>(
    'SELECT coalesce(max(number), 0)::integer AS version FROM docferry.migrations',
  );
  return row?.version ?? 0;
}

-- Tables of runs that many processes share.
--
-- Reports, options and record names are JSON in text columns: json and jsonb refuse some characters
-- that reviews contain. Clients number intents and outcomes themselves, so that an interrupted commit
-- can be repeated: see session.ts.

CREATE SCHEMA IF NOT EXISTS docferry;

-- Parameters that all processes share, in milliseconds; see SharedSettings.
CREATE TABLE docferry.settings (
  beat_ms integer NOT NULL,
  expiry_ms integer NOT NULL,
  margin_ms integer NOT NULL
);
INSERT INTO docferry.settings VALUES (5000, 30000, 10000);

-- If owner isn't empty, the run or group with that id doesn't share claims with others.
CREATE TABLE docferry.targets (
  target integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  service text NOT NULL,
  monitoring bigint NOT NULL,
  owner text NOT NULL,
  UNIQUE (service, monitoring, owner)
);

-- Leases of processes. A fenced one has been taken over, and writes nothing more.
CREATE TABLE docferry.sessions (
  session integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  seen timestamptz NOT NULL DEFAULT clock_timestamp(),
  fenced boolean NOT NULL DEFAULT false
);

-- Imports in shards. What isn't known is null until a process has read the inputs.
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

-- A run is held by a process's session, or ended. starts counts the processes that took it.
-- Shards of a group have a number, from 1, and in counts their progress, in the order of COUNTED; one
-- that is done has nothing left to do.
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

-- Description, report, figures and files of a run.
CREATE TABLE docferry.facts (
  run integer NOT NULL REFERENCES docferry.runs ON DELETE CASCADE,
  name text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (run, name)
);

-- Rejected records of a shard, as its last process found them.
CREATE TABLE docferry.rejects (
  run integer NOT NULL,
  number integer NOT NULL,
  lines text NOT NULL,
  PRIMARY KEY (run, number)
);

-- The journal: intents and outcomes, in the order of place.
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

-- Requests. One is accepted if all of its documents were.
CREATE TABLE docferry.intents (
  run integer NOT NULL,
  intent bigint NOT NULL,
  ids text NOT NULL,
  digests bytea NOT NULL,
  published text NOT NULL,
  accepted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (run, intent)
);

-- Which run sends, or has sent, a document. A document was accepted if the intent of its claim is null or
-- belongs to a pruned run.
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
END $$;

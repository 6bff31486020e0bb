-- What a process writes in one step, as JSON that populates the type written.

CREATE TYPE docferry.outcome AS (number bigint, intent bigint, kind text, records text, message text);
CREATE TYPE docferry.intent AS (number bigint, records text, ids text, digests bytea, published text);
CREATE TYPE docferry.claim AS (id uuid, content bigint, intent bigint);

-- claims are those of the intents; accepted are the numbers of intents all of whose documents were
-- accepted, kept the claims of the accepted documents of other intents, released those of documents that
-- were refused, or not sent.
CREATE TYPE docferry.written AS (
  outcomes docferry.outcome[], intents docferry.intent[], claims docferry.claim[],
  accepted bigint[], kept docferry.claim[], released docferry.claim[]
);

-- Writes outcomes and then intents with their claims in one transaction, unless another session has
-- taken over. Idempotent.
--
-- Claims are inserted in the order of their ids, so that two sessions that claim the same documents
-- can't deadlock. Existing claims are locked until the end; if one was released meanwhile, the insert is
-- repeated.
--
-- Connections cache plans, and a plan made for a table that was small or empty may scan it when it is
-- large. So scans are off, and rows are updated one by one by their full keys; statements that join
-- claims are rare and planned each time (EXECUTE), which takes milliseconds for all partitions.
--
-- Returns which of the claims other intents hold. place is an index in claims, from 1; a related claim is
-- of this run or of another shard of its group.
CREATE FUNCTION docferry.write(p_run integer, p_session integer, p_target integer, written json)
RETURNS TABLE (place integer, content bigint, related boolean, accepted boolean)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  w docferry.written := json_populate_record(NULL::docferry.written, written);
  claim_ids uuid[] := ARRAY(SELECT c.id FROM unnest(w.claims) AS c);
  -- Requests written together may claim the same document.
  distinct_ids integer := (SELECT count(DISTINCT id) FROM unnest(claim_ids) AS id);
  accepted_intent bigint;
  inserted integer;
  present integer;
BEGIN
  PERFORM FROM docferry.sessions AS s WHERE s.session = p_session AND NOT s.fenced FOR KEY SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'fenced' USING ERRCODE = 'DF001'; END IF;

  INSERT INTO docferry.entries (run, number, kind, intent, records, message)
    SELECT p_run, o.number, o.kind, o.intent, o.records, o.message
    FROM unnest(w.outcomes) WITH ORDINALITY AS o(number, intent, kind, records, message, at)
    ORDER BY o.at
    ON CONFLICT DO NOTHING;
  FOREACH accepted_intent IN ARRAY w.accepted LOOP
    UPDATE docferry.intents AS i SET accepted = true
      WHERE i.run = p_run AND i.intent = accepted_intent;
  END LOOP;
  IF cardinality(w.kept) > 0 THEN
    EXECUTE 'UPDATE docferry.claims AS k SET intent = NULL FROM unnest($2) AS c
      WHERE k.target = $1 AND k.id = c.id AND k.intent = c.intent'
      USING p_target, w.kept;
  END IF;
  IF cardinality(w.released) > 0 THEN
    EXECUTE 'DELETE FROM docferry.claims AS k USING unnest($2) AS c
      WHERE k.target = $1 AND k.id = c.id AND k.intent = c.intent'
      USING p_target, w.released;
  END IF;
  IF cardinality(w.intents) = 0 THEN RETURN; END IF;

  INSERT INTO docferry.entries (run, number, kind, intent, records, message)
    SELECT p_run, i.number, 'intent', i.number, i.records, '""'
    FROM unnest(w.intents) WITH ORDINALITY AS i(number, records, ids, digests, published, at)
    ORDER BY i.at
    ON CONFLICT DO NOTHING;
  INSERT INTO docferry.intents (run, intent, ids, digests, published)
    SELECT p_run, i.number, i.ids, i.digests, i.published FROM unnest(w.intents) AS i
    ON CONFLICT DO NOTHING;
  LOOP
    INSERT INTO docferry.claims (target, id, content, run, intent)
      SELECT p_target, c.id, c.content, p_run, c.intent FROM unnest(w.claims) AS c ORDER BY c.id
      ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS inserted = ROW_COUNT;
    IF inserted = cardinality(w.claims) THEN RETURN; END IF;
    EXECUTE 'SELECT count(*) FROM (
      SELECT FROM docferry.claims AS k WHERE k.target = $1 AND k.id = ANY ($2)
      ORDER BY k.id FOR KEY SHARE OF k) AS there'
      INTO present USING p_target, claim_ids;
    EXIT WHEN present = distinct_ids;
  END LOOP;
  RETURN QUERY EXECUTE 'SELECT c.place::integer, k.content,
      k.run = $3 OR coalesce(r.group_number = (SELECT o.group_number FROM docferry.runs AS o WHERE o.run = $3), false),
      k.intent IS NULL OR coalesce(i.accepted, true)
    FROM unnest($2) WITH ORDINALITY AS c(id, content, intent, place)
    JOIN docferry.claims AS k
      ON k.target = $1 AND k.id = c.id AND k.intent IS DISTINCT FROM c.intent
    LEFT JOIN docferry.runs AS r ON r.run = k.run
    LEFT JOIN docferry.intents AS i ON i.run = k.run AND i.intent = k.intent'
    USING p_target, w.claims, p_run;
END $$;

-- Projection generations: a rebuild fills the next one beside the live one.

-- Must be committed before the first snapshot of the generation is written: append_batch deletes rows only of generations
-- it can see. ATTACH and not PARTITION OF, which would stop all appends for a moment.
CREATE FUNCTION ev.create_generation(p_generation int, p_state text, p_created_at timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  EXECUTE format('CREATE TABLE ev.%I (LIKE ev.snapshot INCLUDING ALL, CHECK (generation = %s)) WITH (fillfactor = 80)',
                 'snapshot_g' || p_generation, p_generation);
  EXECUTE format('ALTER TABLE ev.snapshot ATTACH PARTITION ev.%I FOR VALUES IN (%s)',
                 'snapshot_g' || p_generation, p_generation);
  INSERT INTO ev.generation (generation, state, created_at) VALUES (p_generation, p_state, p_created_at);
END $$;

-- Makes a generation the one that answers. Answers the number of the activation.
CREATE FUNCTION ev.activate_generation(p_generation int, p_activated_at timestamptz, p_actor text) RETURNS int
LANGUAGE plpgsql VOLATILE AS $$
DECLARE v_no int;
BEGIN
  LOCK TABLE ev.activation IN SHARE ROW EXCLUSIVE MODE;
  UPDATE ev.generation SET state = 'kept' WHERE state = 'active' AND generation <> p_generation;
  UPDATE ev.generation SET state = 'active' WHERE generation = p_generation AND state IN ('verified', 'kept', 'active');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'generation % is not verified or kept', p_generation USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  INSERT INTO ev.activation (no, generation, activated_at, actor)
  SELECT coalesce(max(a.no), 0) + 1, p_generation, p_activated_at, p_actor FROM ev.activation a RETURNING no INTO v_no;
  RETURN v_no;
END $$;

-- A rebuild worker's write, kept only if nothing was appended since the stream was read. `resigned` belongs to that: newer
-- signing dates move the state and leave the version. One head, then one snapshot; no lane.
CREATE FUNCTION ev.put_rebuilt(p_lane smallint, p_stream uuid, p_generation int, p_version bigint, p_resigned int,
                               p_state bytea, p_hash bytea, p_next timestamptz)
RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM 1 FROM ev.account_head h
   WHERE h.lane = p_lane AND h.stream_id = p_stream AND h.version = p_version AND h.resigned = p_resigned FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  -- Safe as an upsert: whoever appends waits for the head above before it touches the snapshot.
  INSERT INTO ev.snapshot AS s (version, next_change_at, generation, lane, stream_id, state_hash, state)
  VALUES (p_version, p_next, p_generation, p_lane, p_stream, p_hash, p_state)
  ON CONFLICT (lane, stream_id, generation) DO UPDATE
    SET version = excluded.version, next_change_at = excluded.next_change_at, state_hash = excluded.state_hash,
        state = excluded.state;
  RETURN true;
END $$;

SELECT ev.create_generation(1, 'verified', clock_timestamp());
SELECT ev.activate_generation(1, clock_timestamp(), 'migration');

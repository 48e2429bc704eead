-- One call = one statement = one commit for many events of many streams.
--
-- Arrays, all binary-friendly scalars:
--   g_*  one element a group. A group is what one stream gets: streams strictly ascending, each once.
--   e_*  one element an event; e_group is the 1-based number of its group and never falls.
--   r_*  one element a newer signing date. A group has events, or dates, or both.
--   l_*  one element a directory row of its group; app and environment are the group's. A lineage comes once in a call.
--        l_parties null: only compare, and keep others off it until the commit. l_expected 0: the row must not exist yet.
--   s_*  one element a (generation, group), generation-major: the state after all distinct events and dates of the group.
--
-- Answers by event:  0 appended | 1 known already: seq and position of the first copy | 2 not appended: what the caller
-- decided on has moved | 3 only with p_wait false: another session holds the lane, nothing is known, send it again.
-- Answers by group:  0 written | 1 nothing to write, all its events are known | 2 | 3, and the stream's version.
--
-- A group is written whole or not at all, and so is a set: the groups with the same positive g_set. A group that holds a
-- known event is not written, because the caller has folded that event twice. A key repeated within a group counts once.
-- A malformed call raises and writes nothing: that is a fault of the program, not of an item.
--
-- Each statement below must see what was committed before its locks were granted: hence READ COMMITTED, and many
-- statements instead of one.

CREATE FUNCTION ev.append_batch(
  g_set int[], g_lane smallint[], g_stream uuid[], g_expected bigint[], g_resigned int[], g_app smallint[],
  g_environment smallint[], g_account uuid[], g_recorded timestamptz[],
  e_group int[], e_key uuid[], e_kind smallint[], e_source smallint[], e_occurred timestamptz[], e_learned timestamptz[],
  e_revision int[], e_chain int[], e_transaction text[], e_original text[], e_payload bytea[], e_signature bytea[],
  e_meta bytea[],
  r_group int[], r_kind smallint[], r_object text[], r_hash uuid[], r_signed bigint[],
  l_group int[], l_original text[], l_expected int[], l_parties bytea[], l_hints bytea[], l_locked boolean[],
  p_gens int[], s_state bytea[], s_hash bytea[], s_next timestamptz[],
  p_wait boolean DEFAULT true,
  OUT o_code smallint[], OUT o_seq bigint[], OUT o_pos bigint[], OUT o_group_code smallint[], OUT o_version bigint[])
LANGUAGE plpgsql VOLATILE
-- The right plans do not depend on the size of the batch, nor on statistics made while the tables were empty.
SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  n_groups   int := coalesce(cardinality(g_lane), 0);
  n_events   int := coalesce(cardinality(e_group), 0);
  n_dates    int := coalesce(cardinality(r_group), 0);
  n_lineages int := coalesce(cardinality(l_group), 0);
  n_states   int := n_groups * coalesce(cardinality(p_gens), 0);
  v_held     smallint[];  -- the lanes we hold; null = all that we asked for
  v_current  bigint[];    -- by group: version before this call, 0 = no head, -1 = lane not held
  v_head     tid[];       -- by group: address of the head row, null = no head
  v_base     bigint[];    -- by group: last position of its lane
  v_same     boolean[];   -- by group: the head is the one the caller decided on
  v_refused  int[] := '{}';  -- groups whose directory rows or hints do not fit
  v_known    int[];       -- groups that hold an event of the log
  v_code     smallint[];  -- by group: 0 = write it
  v_dates    int[];       -- by group: account_head.resigned after this call
  v_valid boolean; v_floor boolean; v_heads int; v_due int; v_rows int;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'append_batch needs READ COMMITTED' USING ERRCODE = 'invalid_transaction_state';
  END IF;
  IF n_groups = 0
     OR num_nulls(g_set, g_lane, g_stream, g_expected, g_resigned, g_app, g_environment, g_account, g_recorded,
                  p_gens, p_wait) > 0
     OR n_groups <> ALL (ARRAY[cardinality(g_set), cardinality(g_stream), cardinality(g_expected), cardinality(g_resigned),
          cardinality(g_app), cardinality(g_environment), cardinality(g_account), cardinality(g_recorded)])
     OR (cardinality(e_key), cardinality(e_kind), cardinality(e_source), cardinality(e_occurred), cardinality(e_learned),
         cardinality(e_revision), cardinality(e_chain), cardinality(e_transaction), cardinality(e_original),
         cardinality(e_payload), cardinality(e_signature), cardinality(e_meta))
        IS DISTINCT FROM (n_events, n_events, n_events, n_events, n_events, n_events, n_events, n_events, n_events,
                          n_events, n_events, n_events)
     OR (cardinality(r_kind), cardinality(r_object), cardinality(r_hash), cardinality(r_signed))
        IS DISTINCT FROM (n_dates, n_dates, n_dates, n_dates)
     OR (cardinality(l_original), cardinality(l_expected), cardinality(l_parties), cardinality(l_hints),
         cardinality(l_locked))
        IS DISTINCT FROM (n_lineages, n_lineages, n_lineages, n_lineages, n_lineages)
     OR (cardinality(s_state), cardinality(s_hash), cardinality(s_next)) IS DISTINCT FROM (n_states, n_states, n_states) THEN
    RAISE EXCEPTION 'append_batch: array lengths do not fit' USING ERRCODE = 'invalid_parameter_value';
  END IF;

  -- 1. The lanes, ascending: the same rows in the same order in every transaction, so no deadlock. Lane numbers never
  --    change, so the order found before locking still holds after it. Held until the commit is durable.
  IF p_wait THEN
    PERFORM 1 FROM ev.lane l WHERE l.lane = ANY (g_lane) ORDER BY l.lane FOR UPDATE;
  ELSE
    SELECT coalesce(array_agg(x.lane), '{}') INTO v_held
      FROM (SELECT l.lane FROM ev.lane l WHERE l.lane = ANY (g_lane) ORDER BY l.lane FOR UPDATE SKIP LOCKED) x;
    IF cardinality(v_held) = (SELECT count(DISTINCT u.lane) FROM unnest(g_lane) AS u(lane)) THEN v_held := NULL; END IF;
  END IF;

  -- 2. Heads and last positions. Nobody else can move them now.
  SELECT array_agg(y.current), array_agg(y.head), array_agg(y.base), count(y.head),
         array_agg(y.current = g_expected[y.no] AND y.resigned = g_resigned[y.no]),
         bool_and(coalesce(y.before < y.stream, y.no = 1))
    INTO v_current, v_head, v_base, v_heads, v_same, v_valid
    FROM (SELECT g.no, g.stream, lag(g.stream) OVER (ORDER BY g.no) AS before, h.ctid AS head,
                 CASE WHEN v_held IS NULL OR g.lane = ANY (v_held) THEN coalesce(h.version, 0) ELSE -1 END AS current,
                 coalesce(h.resigned, 0) AS resigned,
                 coalesce((SELECT e.lane_pos FROM ev.event e WHERE e.lane = l.lane AND e.lane_pos >= l.floor
                            ORDER BY e.lane_pos DESC LIMIT 1), l.floor) AS base
            FROM unnest(g_lane, g_stream) WITH ORDINALITY AS g(lane, stream, no)
            JOIN ev.lane l ON l.lane = g.lane
            LEFT JOIN ev.account_head h ON h.lane = g.lane AND h.stream_id = g.stream
           ORDER BY g.no) y;
  IF v_valid IS DISTINCT FROM true OR cardinality(v_current) <> n_groups THEN
    RAISE EXCEPTION 'append_batch: streams must be strictly ascending and lanes must exist'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;

  -- 3. The directory.
  IF n_lineages > 0 THEN
    v_refused := ev.lock_directory(g_app, g_environment, v_current, l_group, l_original, l_expected, l_parties, l_hints,
                                   l_locked);
  END IF;

  -- 4. The usual case: everything fits, no key is in the log, none comes twice, no dates.
  IF n_dates = 0 AND v_refused = '{}' AND true = ALL (v_same)
     AND NOT EXISTS (SELECT 1 FROM unnest(e_group, e_key) AS i(grp, key)
                       JOIN ev.event k ON k.lane = g_lane[i.grp] AND k.stream_id = g_stream[i.grp] AND k.dedupe_key = i.key)
     AND (n_events = n_groups
          OR n_events = (SELECT count(*) FROM (SELECT DISTINCT i.grp, i.key FROM unnest(e_group, e_key) AS i(grp, key)) d)) THEN
    v_due := n_groups;
    v_code := array_fill(0::smallint, ARRAY[n_groups]);
    v_dates := g_resigned;
    o_code := array_fill(0::smallint, ARRAY[n_events]);
    o_group_code := v_code;
    SELECT array_agg(y.seq), array_agg(y.pos), array_agg(y.seq) FILTER (WHERE y.next IS DISTINCT FROM y.grp),
           bool_and(y.grp - coalesce(y.before, 0) BETWEEN 0 AND 1) AND e_group[1] = 1 AND e_group[n_events] = n_groups,
           bool_or(y.pos / 32 > v_base[y.grp] / 32)
      INTO o_seq, o_pos, o_version, v_valid, v_floor
      FROM (SELECT i.grp, lag(i.grp) OVER rising AS before, lead(i.grp) OVER rising AS next,
                   g_expected[i.grp] + row_number() OVER (PARTITION BY g_lane[i.grp], i.grp ORDER BY i.no) AS seq,
                   v_base[i.grp] + row_number() OVER (PARTITION BY g_lane[i.grp] ORDER BY i.grp, i.no) AS pos
              FROM unnest(e_group) WITH ORDINALITY AS i(grp, no) WINDOW rising AS (ORDER BY i.no)
             ORDER BY i.no) y;
  ELSE
  -- 5. The general case: what each group brings, which groups may be written, then one answer for each event.
    SELECT array_agg(g_resigned[y.grp] + (y.dates > 0)::int ORDER BY y.grp),
           count(*) = n_groups AND min(y.grp) = 1 AND max(y.grp) = n_groups
           AND bool_and(y.events > 0 OR g_expected[y.grp] > 0)
      INTO v_dates, v_valid
      FROM (SELECT u.grp, count(*) FILTER (WHERE u.event) AS events, count(*) FILTER (WHERE NOT u.event) AS dates
              FROM (SELECT i.grp, true AS event FROM unnest(e_group) AS i(grp)
                    UNION ALL SELECT r.grp, false FROM unnest(r_group) AS r(grp)) u GROUP BY u.grp) y;
    IF v_valid IS DISTINCT FROM true THEN
      RAISE EXCEPTION 'append_batch: a group needs events, or dates of a stream that has some'
        USING ERRCODE = 'invalid_parameter_value';
    END IF;

    SELECT coalesce(array_agg(DISTINCT i.grp), '{}') INTO v_known
      FROM unnest(e_group, e_key) AS i(grp, key)
      JOIN ev.event k ON k.lane = g_lane[i.grp] AND k.stream_id = g_stream[i.grp] AND k.dedupe_key = i.key;
    SELECT array_agg((CASE WHEN y.fits THEN 0 WHEN y.busy THEN 3 ELSE 2 END)::smallint), count(*) FILTER (WHERE y.fits)
      INTO v_code, v_due
      FROM (SELECT x.no, CASE WHEN x.set = 0 THEN x.fits ELSE bool_and(x.fits) OVER (PARTITION BY x.set) END AS fits,
                   CASE WHEN x.set = 0 THEN x.busy ELSE bool_or(x.busy) OVER (PARTITION BY x.set) END AS busy
              FROM (SELECT g.no, g.set, v_current[g.no] < 0 AS busy,
                           v_same[g.no] AND g.no <> ALL (v_known) AND g.no <> ALL (v_refused) AS fits
                      FROM unnest(g_set) WITH ORDINALITY AS g(set, no)) x
             ORDER BY x.no) y;

    SELECT coalesce(array_agg(y.code), '{}'), coalesce(array_agg(y.seq), '{}'), coalesce(array_agg(y.pos), '{}'),
           coalesce(bool_and(y.grp >= y.before), true), bool_or(y.code = 0 AND y.pos / 32 > v_base[y.grp] / 32)
      INTO o_code, o_seq, o_pos, v_valid, v_floor
      FROM (SELECT c.no, c.grp, lag(c.grp) OVER (ORDER BY c.no) AS before,
                   (CASE WHEN c.known_seq IS NOT NULL OR (c.fits AND c.copy > 1) THEN 1
                         ELSE v_code[c.grp] END)::smallint AS code,
                   CASE WHEN c.known_seq IS NOT NULL THEN c.known_seq
                        WHEN c.fits THEN first_value(c.seq) OVER same ELSE greatest(v_current[c.grp], 0) END AS seq,
                   CASE WHEN c.known_seq IS NOT NULL THEN c.known_pos
                        WHEN c.fits THEN first_value(c.pos) OVER same ELSE 0 END AS pos
              FROM (SELECT f.*,
                           v_current[f.grp] + count(*) FILTER (WHERE f.copy = 1)
                                                OVER (PARTITION BY f.grp ORDER BY f.no) AS seq,
                           v_base[f.grp] + count(*) FILTER (WHERE f.fits AND f.copy = 1)
                                             OVER (PARTITION BY g_lane[f.grp] ORDER BY f.no) AS pos
                      FROM (SELECT i.no, i.grp, i.key, v_code[i.grp] = 0 AS fits,
                                   k.seq AS known_seq, k.lane_pos AS known_pos,
                                   row_number() OVER (PARTITION BY i.grp, i.key ORDER BY i.no) AS copy
                              FROM unnest(e_group, e_key) WITH ORDINALITY AS i(grp, key, no)
                              LEFT JOIN ev.event k ON k.lane = g_lane[i.grp] AND k.stream_id = g_stream[i.grp]
                                                  AND k.dedupe_key = i.key) f) c
            WINDOW same AS (PARTITION BY c.grp, c.key ORDER BY c.no)
             ORDER BY c.no) y;
    SELECT array_agg((CASE WHEN v_code[y.grp] > 0 AND y.all_known THEN 1 ELSE v_code[y.grp] END)::smallint ORDER BY y.grp),
           array_agg(greatest(v_current[y.grp], 0) + y.fresh ORDER BY y.grp)
      INTO o_group_code, o_version
      FROM (SELECT u.grp, bool_and(u.code = 1) AS all_known, count(*) FILTER (WHERE u.code = 0) AS fresh
              FROM (SELECT i.grp, i.code FROM unnest(e_group, o_code) AS i(grp, code)
                    UNION ALL SELECT r.grp, NULL FROM unnest(r_group) AS r(grp)) u GROUP BY u.grp) y;
  END IF;
  IF v_valid IS DISTINCT FROM true THEN
    RAISE EXCEPTION 'append_batch: group numbers of events must rise from 1 to the last group, without a gap'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;

  -- 6. Directory rows and hints of what is written; the rows reserved for the others go away again.
  IF num_nonnulls(VARIADIC l_parties) > 0 THEN
    PERFORM ev.write_directory(g_app, g_environment, v_code, l_group, l_original, l_expected, l_parties, l_hints,
                               l_locked);
  END IF;
  IF v_due = 0 THEN RETURN; END IF;

  -- 7. Events: a plain INSERT. A violation here means that somebody wrote without the lane's lock; ON CONFLICT DO NOTHING
  --    would acknowledge an event that is not there.
  IF n_events > 0 THEN
    INSERT INTO ev.event (lane_pos, occurred_at, recorded_at, learned_at, seq, chain_id, catalog_revision, lane, kind,
                          source, app, environment, stream_id, account, dedupe_key, transaction_id,
                          original_transaction_id, signature, meta, payload)
    SELECT x.pos, x.occurred, g_recorded[x.grp], x.learned, x.seq, x.chain, x.revision, g_lane[x.grp], x.kind,
           x.source, g_app[x.grp], g_environment[x.grp], g_stream[x.grp], g_account[x.grp], x.key, x.transaction,
           x.original, x.signature, x.meta, x.payload
      FROM unnest(o_code, o_seq, o_pos, e_group, e_key, e_kind, e_source, e_occurred, e_learned, e_revision, e_chain,
                  e_transaction, e_original, e_signature, e_meta, e_payload)
        AS x(code, seq, pos, grp, key, kind, source, occurred, learned, revision, chain, transaction, original,
             signature, meta, payload)
     WHERE x.code = 0;
  END IF;
  IF n_dates > 0 THEN
    -- DO NOTHING is right here: a date that is there already is the whole truth of its row, nothing counts these rows, and
    -- no answer depends on who brought it.
    INSERT INTO ev.resigned (signed_at, recorded_at, lane, kind, stream_id, content_hash, object_id)
    SELECT x.signed, g_recorded[x.grp], g_lane[x.grp], x.kind, g_stream[x.grp], x.hash, x.object
      FROM unnest(r_group, r_kind, r_object, r_hash, r_signed) AS x(grp, kind, object, hash, signed)
     WHERE v_code[x.grp] = 0
    ON CONFLICT DO NOTHING;
  END IF;

  -- 8. Heads, by row address: only whoever holds the lane moves them. A rebuild worker may hold one for a moment; we wait
  --    for it here, before the snapshots, so what it wrote is seen and overruled below.
  UPDATE ev.account_head h SET version = x.version, resigned = x.dates, updated_at = x.recorded
    FROM unnest(v_head, o_version, v_code, v_dates, g_recorded) AS x(head, version, code, dates, recorded)
   WHERE x.code = 0 AND h.ctid = x.head;
  GET DIAGNOSTICS v_rows = ROW_COUNT;
  IF v_heads < n_groups THEN
    INSERT INTO ev.account_head (version, updated_at, resigned, lane, app, environment, stream_id, account)
    SELECT x.version, x.recorded, x.dates, x.lane, x.app, x.environment, x.stream, x.account
      FROM unnest(v_head, o_version, v_code, v_dates, g_recorded, g_lane, g_app, g_environment, g_stream, g_account)
        AS x(head, version, code, dates, recorded, lane, app, environment, stream, account)
     WHERE x.code = 0 AND x.head IS NULL;
    GET DIAGNOSTICS v_heads = ROW_COUNT;
    v_rows := v_rows + v_heads;
  END IF;
  IF v_rows <> v_due THEN RAISE EXCEPTION 'append_batch: % heads written, % due', v_rows, v_due; END IF;

  -- 9. Snapshots of the caller's generations. UPDATE, then INSERT what is missing: cheaper than ON CONFLICT, and safe under
  --    the lane's lock.
  UPDATE ev.snapshot s SET version = o_version[x.grp], state = x.state, state_hash = x.hash, next_change_at = x.next
    FROM (SELECT u.state, u.hash, u.next, ((u.no - 1) % n_groups + 1)::int AS grp,
                 p_gens[((u.no - 1) / n_groups + 1)::int] AS generation
            FROM unnest(s_state, s_hash, s_next) WITH ORDINALITY AS u(state, hash, next, no)) x
   WHERE v_code[x.grp] = 0 AND s.lane = g_lane[x.grp] AND s.stream_id = g_stream[x.grp] AND s.generation = x.generation;
  GET DIAGNOSTICS v_rows = ROW_COUNT;
  IF v_rows < v_due * cardinality(p_gens) THEN
    INSERT INTO ev.snapshot (version, next_change_at, generation, lane, stream_id, state_hash, state)
    SELECT o_version[x.grp], x.next, x.generation, g_lane[x.grp], g_stream[x.grp], x.hash, x.state
      FROM (SELECT u.state, u.hash, u.next, ((u.no - 1) % n_groups + 1)::int AS grp,
                   p_gens[((u.no - 1) / n_groups + 1)::int] AS generation
              FROM unnest(s_state, s_hash, s_next) WITH ORDINALITY AS u(state, hash, next, no)) x
     WHERE v_code[x.grp] = 0
       AND NOT EXISTS (SELECT 1 FROM ev.snapshot s
                        WHERE s.lane = g_lane[x.grp] AND s.stream_id = g_stream[x.grp] AND s.generation = x.generation);
  END IF;

  -- 10. Snapshots of generations that this release does not know are stale now. Their rebuild makes them again.
  IF EXISTS (SELECT 1 FROM ev.generation k WHERE k.generation <> ALL (p_gens) AND k.state <> 'dropped') THEN
    DELETE FROM ev.snapshot s USING unnest(g_lane, g_stream, v_code) AS x(lane, stream, code)
     WHERE x.code = 0 AND s.lane = x.lane AND s.stream_id = x.stream AND s.generation <> ALL (p_gens);
  END IF;

  -- 11. Move the hint of a lane once in 32 events.
  IF v_floor THEN
    UPDATE ev.lane l SET floor = x.pos
      FROM (SELECT g_lane[i.grp] AS lane, max(i.pos) AS pos FROM unnest(e_group, o_pos, o_code) AS i(grp, pos, code)
             WHERE i.code = 0 AND i.pos / 32 > v_base[i.grp] / 32 GROUP BY 1) x
     WHERE l.lane = x.lane;
  END IF;
END $$;

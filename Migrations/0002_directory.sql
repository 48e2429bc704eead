-- The lineage directory and who is known: the parts of an append that are not bound to a lane. Called by append_batch with
-- the lanes locked already; see 0001 for the order of locks.

CREATE FUNCTION ev.uuids(p_bytes bytea) RETURNS uuid[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT encode(substr(p_bytes, n * 16 + 1, 16), 'hex')::uuid
                 FROM generate_series(0, octet_length(p_bytes) / 16 - 1) AS n ORDER BY n)
$$;

-- Held while an account becomes known, and while an append says that it is not.
CREATE FUNCTION ev.account_lock_key(p_app smallint, p_account uuid) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT uuid_hash_extended(p_account, p_app) $$;

-- Locks the directory rows of a batch and answers the groups that were decided on other rows, or on an account that has
-- become known since. Rows that shall be new are reserved with version 0, which nobody ever sees committed.
CREATE FUNCTION ev.lock_directory(
  g_app smallint[], g_environment smallint[], g_current bigint[],
  l_group int[], l_original text[], l_expected int[], l_parties bytea[], l_hints bytea[], l_locked boolean[])
RETURNS int[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_hints boolean; v_new boolean; v_valid boolean; v_refused int[]; v_found int;
BEGIN
  SELECT bool_or(x.hints <> ''), bool_or(x.expected = 0),
         bool_and(x.grp BETWEEN 1 AND cardinality(g_app)
                  AND num_nulls(x.original, x.hints, x.locked) = 0
                  AND coalesce(octet_length(x.parties) % 16 = 0 AND x.expected >= 0, x.expected > 0)
                  AND octet_length(x.hints) % 16 = 0)
         AND count(*) = count(DISTINCT (g_app[x.grp], g_environment[x.grp], x.original))
    INTO v_hints, v_new, v_valid
    FROM unnest(l_group, l_original, l_expected, l_parties, l_hints, l_locked)
      AS x(grp, original, expected, parties, hints, locked);
  IF v_valid IS DISTINCT FROM true THEN
    RAISE EXCEPTION 'append_batch: malformed directory rows, or a lineage twice' USING ERRCODE = 'invalid_parameter_value';
  END IF;

  IF v_hints THEN
    PERFORM pg_advisory_xact_lock(k.key)
       FROM (SELECT DISTINCT ev.account_lock_key(g_app[x.grp], h.account) AS key
               FROM unnest(l_group, l_hints) AS x(grp, hints), unnest(ev.uuids(x.hints)) AS h(account)
              WHERE g_current[x.grp] >= 0 ORDER BY 1) k;
  END IF;

  -- New rows first, then locks on old ones, both ascending. No deadlock: while it reserves, a session holds no directory
  -- row that another one can see, so whoever waits for a lock below waits only for sessions that are past this statement.
  -- DO NOTHING acknowledges nothing here: the row of the other session is locked and compared next, and refuses the group.
  IF v_new THEN
    INSERT INTO ev.lineage (version, app, environment, locked, original_transaction_id, parties, hints)
    SELECT 0, g_app[x.grp], g_environment[x.grp], x.locked, x.original, ev.uuids(x.parties), '{}'
      FROM unnest(l_group, l_original, l_expected, l_parties, l_locked) AS x(grp, original, expected, parties, locked)
     WHERE x.expected = 0 AND g_current[x.grp] >= 0
     ORDER BY 2, 3, x.original COLLATE "C"
    ON CONFLICT DO NOTHING;
  END IF;
  -- FOR UPDATE answers the row as it is once the lock is granted, so the version can be compared right here.
  SELECT coalesce(array_agg(DISTINCT y.grp) FILTER (WHERE y.version <> y.expected), '{}'), count(*) INTO v_refused, v_found
    FROM (SELECT x.grp, x.expected, k.version
            FROM unnest(l_group, l_original, l_expected) AS x(grp, original, expected)
            JOIN ev.lineage k ON k.app = g_app[x.grp] AND k.environment = g_environment[x.grp]
                             AND k.original_transaction_id = x.original
           WHERE g_current[x.grp] >= 0
           ORDER BY k.app, k.environment, k.original_transaction_id FOR UPDATE OF k) y;
  IF v_found < cardinality(l_group) THEN
    v_refused := v_refused || ARRAY(
      SELECT x.grp FROM unnest(l_group, l_original) AS x(grp, original)
       WHERE NOT EXISTS (SELECT 1 FROM ev.lineage k WHERE k.app = g_app[x.grp] AND k.environment = g_environment[x.grp]
                                                      AND k.original_transaction_id = x.original));
  END IF;
  IF v_hints THEN
    v_refused := v_refused || ARRAY(
      SELECT x.grp FROM unnest(l_group, l_hints) AS x(grp, hints)
       CROSS JOIN LATERAL unnest(ev.uuids(x.hints)) AS h(account)
        JOIN ev.account a ON a.app = g_app[x.grp] AND a.account = h.account);
  END IF;
  RETURN v_refused;
END $$;

-- Writes the directory rows of the groups with code 0 and takes back what was reserved for the others.
CREATE FUNCTION ev.write_directory(
  g_app smallint[], g_environment smallint[], g_code smallint[],
  l_group int[], l_original text[], l_expected int[], l_parties bytea[], l_hints bytea[], l_locked boolean[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  DELETE FROM ev.lineage k USING unnest(l_group, l_original, l_expected) AS x(grp, original, expected)
   WHERE x.expected = 0 AND g_code[x.grp] > 0 AND k.app = g_app[x.grp] AND k.environment = g_environment[x.grp]
     AND k.original_transaction_id = x.original AND k.version = 0;

  -- The inverse of lineage.hints follows it row by row; read before the update below.
  DELETE FROM ev.lineage_hint t
   USING (SELECT k.app, k.environment, k.original_transaction_id, old.account
            FROM unnest(l_group, l_original, l_parties, l_hints) AS x(grp, original, parties, hints)
            JOIN ev.lineage k ON k.app = g_app[x.grp] AND k.environment = g_environment[x.grp]
                             AND k.original_transaction_id = x.original
           CROSS JOIN LATERAL unnest(k.hints) AS old(account)
           WHERE g_code[x.grp] = 0 AND x.parties IS NOT NULL AND old.account <> ALL (ev.uuids(x.hints))) gone
   WHERE t.app = gone.app AND t.account = gone.account AND t.environment = gone.environment
     AND t.original_transaction_id = gone.original_transaction_id;
  INSERT INTO ev.lineage_hint (account, app, environment, original_transaction_id)
  SELECT DISTINCT new.account, k.app, k.environment, k.original_transaction_id
    FROM unnest(l_group, l_original, l_parties, l_hints) AS x(grp, original, parties, hints)
    JOIN ev.lineage k ON k.app = g_app[x.grp] AND k.environment = g_environment[x.grp]
                     AND k.original_transaction_id = x.original
   CROSS JOIN LATERAL unnest(ev.uuids(x.hints)) AS new(account)
   WHERE g_code[x.grp] = 0 AND x.parties IS NOT NULL AND new.account <> ALL (k.hints);

  UPDATE ev.lineage k SET version = k.version + 1, parties = ev.uuids(x.parties), hints = ev.uuids(x.hints),
                          locked = x.locked
    FROM unnest(l_group, l_original, l_parties, l_hints, l_locked) AS x(grp, original, parties, hints, locked)
   WHERE g_code[x.grp] = 0 AND x.parties IS NOT NULL AND k.app = g_app[x.grp] AND k.environment = g_environment[x.grp]
     AND k.original_transaction_id = x.original;
END $$;

// swift-format-ignore-file
// Made by scripts/embed-migrations from Migrations/*.sql. Do not edit.

extension Migration {
    /// The migrations of this release, ascending.
    public static let embedded: [Migration] = [
        Migration(number: 1, name: "tables", sql: #"""
-- The event log. PostgreSQL 15 or newer, READ COMMITTED.
--
-- Locks are taken in this order by everybody who writes here:
--   lane rows (ascending) -> account locks (advisory, ascending) -> lineage rows (ascending) -> heads -> snapshots.
-- Whoever holds a lane sees heads, keys and positions of it that no other appender can move. Whoever holds no lane may
-- hold one head at most (a rebuild worker does).
--
-- `lane` leads every key of the big tables, and nothing uses a sequence: they can be distributed by lane.

-- Locked by every append of the lane. `floor` is a hint, not a counter: some position not above the lane's last one,
-- moved once in 32 events. It shortens the search for the last position; a counter here would collect dead row versions.
CREATE TABLE ev.lane (
  lane  smallint PRIMARY KEY,
  floor bigint   NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO ev.lane SELECT generate_series(0, 1023);

-- One row a stream. A stream is (app, environment, account); its id is the first 16 bytes of a SHA-256 over them and its
-- lane the top ten bits of the id, both made by the service. So the order of ids is the order of (lane, id).
CREATE TABLE ev.account_head (
  version     bigint      NOT NULL,  -- seq of the stream's last event
  updated_at  timestamptz NOT NULL,
  resigned    int         NOT NULL,  -- appends that brought newer signing dates: they move the state, not the version
  lane        smallint    NOT NULL,
  app         smallint    NOT NULL,
  environment smallint    NOT NULL,
  stream_id   uuid        NOT NULL,
  account     uuid        NOT NULL,
  PRIMARY KEY (lane, stream_id),
  -- A row in a wrong lane would split a stream in two. Written out: a SQL function here is planned anew by each statement.
  CHECK (lane = ((get_byte(uuid_send(stream_id), 0) << 2) | (get_byte(uuid_send(stream_id), 1) >> 6)))
) WITH (fillfactor = 85);

-- Fixed-width columns first, widest first: no padding.
-- Not partitioned: 16 partitions cost 16 % of the append rate at batches of 50 (fixed cost a statement). A log that
-- outgrows one table is partitioned by lane ranges; every key allows it.
-- No UNIQUE (lane, stream_id, seq): it costs 7 %, and the primary key fires for the same fault (a writer without lane lock).
CREATE TABLE ev.event (
  lane_pos         bigint      NOT NULL,  -- dense in the lane: 1, 2, 3 ...
  occurred_at      timestamptz NOT NULL,  -- when it happened, by the signed object
  recorded_at      timestamptz NOT NULL,  -- when it was appended here, by the service's clock; never for order
  learned_at       timestamptz NOT NULL,  -- when the service first knew it: earlier for facts copied from another stream
  seq              int         NOT NULL,  -- dense in the stream: 1, 2, 3 ...
  chain_id         int         NOT NULL,  -- ev.chain, 0 = not a JWS
  catalog_revision int         NOT NULL,
  lane             smallint    NOT NULL,
  kind             smallint    NOT NULL,
  source           smallint    NOT NULL,
  app              smallint    NOT NULL,
  environment      smallint    NOT NULL,
  stream_id        uuid        NOT NULL,
  account          uuid        NOT NULL,
  dedupe_key       uuid        NOT NULL,  -- first 16 bytes of a SHA-256 over what the content says
  transaction_id          text NOT NULL,
  original_transaction_id text NOT NULL,
  signature        bytea       NOT NULL,
  meta             bytea       NOT NULL,  -- the verdict at intake; may be empty
  payload          bytea       NOT NULL,
  PRIMARY KEY (lane, lane_pos),           -- the tail
  UNIQUE (lane, stream_id, dedupe_key)    -- recognises a repeat; its prefix reads a stream
);

-- For an operator who has only a transaction id. First purchases are found through the lineage and need no entry.
CREATE INDEX event_transaction ON ev.event (transaction_id, app, environment)
  WHERE transaction_id <> '' AND transaction_id <> original_transaction_id;

-- Signing dates of later copies that say nothing new (rules.md R1): no event, but they order copies, so a rebuild reads them.
CREATE TABLE ev.resigned (
  signed_at    bigint      NOT NULL,      -- milliseconds since 1970
  recorded_at  timestamptz NOT NULL,
  lane         smallint    NOT NULL,
  kind         smallint    NOT NULL,
  stream_id    uuid        NOT NULL,
  content_hash uuid        NOT NULL,
  object_id    text        NOT NULL,
  PRIMARY KEY (lane, stream_id, kind, object_id, content_hash, signed_at)
);

-- JWS headers with their certificates, most of a JWS's bytes, once each. 0 is reserved for none.
CREATE TABLE ev.chain (
  chain_id int         PRIMARY KEY CHECK (chain_id > 0),
  added_at timestamptz NOT NULL,
  hash     bytea       NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  header   bytea       NOT NULL CHECK (octet_length(header) BETWEEN 1 AND 65536)
);

-- An app that is removed keeps its number: the number is part of its stream ids and must never mean another app.
CREATE TABLE ev.app (
  app          smallint    PRIMARY KEY CHECK (app > 0),
  bundle_id    text        NOT NULL UNIQUE COLLATE "C",
  app_apple_id bigint,
  environments smallint[]  NOT NULL,
  created_at   timestamptz NOT NULL,
  removed_at   timestamptz
);

CREATE TABLE ev.catalog_revision (
  app         smallint    NOT NULL REFERENCES ev.app,
  revision    int         NOT NULL CHECK (revision > 0),
  recorded_at timestamptz NOT NULL,
  actor       text        NOT NULL,
  reason      text        NOT NULL,
  document    text        NOT NULL,
  PRIMARY KEY (app, revision)
);

-- Accounts that authenticated once or were registered: a token may name only these (rules.md R7).
CREATE TABLE ev.account (
  account  uuid        NOT NULL,
  known_at timestamptz NOT NULL,
  app      smallint    NOT NULL,
  PRIMARY KEY (app, account)
);

-- The lineage directory: who must get the facts of a lineage. Written only by append_batch.
CREATE TABLE ev.lineage (
  version     int       NOT NULL,         -- +1 at each write, for compare-and-set
  app         smallint  NOT NULL,
  environment smallint  NOT NULL,
  locked      boolean   NOT NULL,         -- its account was erased: nobody may claim it
  original_transaction_id text COLLATE "C" NOT NULL,
  parties     uuid[]    NOT NULL,
  hints       uuid[]    NOT NULL,         -- unknown accounts that its tokens name
  PRIMARY KEY (app, environment, original_transaction_id)
) WITH (fillfactor = 85);

CREATE INDEX lineage_unclaimed ON ev.lineage (app, environment, original_transaction_id)
  WHERE parties = '{}' AND NOT locked;

-- lineage.hints the other way round: what to bind when an account becomes known.
CREATE TABLE ev.lineage_hint (
  account     uuid     NOT NULL,
  app         smallint NOT NULL,
  environment smallint NOT NULL,
  original_transaction_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (app, account, environment, original_transaction_id)
);

-- Folded states by projection generation. Rows are of the head's version: an append that does not know a generation
-- deletes its row.
CREATE TABLE ev.snapshot (
  version        bigint   NOT NULL,
  next_change_at timestamptz,
  generation     int      NOT NULL,
  lane           smallint NOT NULL,
  stream_id      uuid     NOT NULL,
  state_hash     bytea    NOT NULL,
  state          bytea    NOT NULL,
  PRIMARY KEY (lane, stream_id, generation)
) PARTITION BY LIST (generation);

CREATE TABLE ev.generation (
  generation int         PRIMARY KEY CHECK (generation > 0),
  state      text        NOT NULL CHECK (state IN ('building', 'verified', 'active', 'kept', 'dropped')),
  created_at timestamptz NOT NULL
);

-- `no` always grows, on a switch back too: views are ordered by it.
CREATE TABLE ev.activation (
  no           int         PRIMARY KEY CHECK (no > 0),
  generation   int         NOT NULL REFERENCES ev.generation,
  activated_at timestamptz NOT NULL,
  actor        text        NOT NULL
);

-- One row. The epoch grows when acknowledged commits may have been lost (a failover to a standby that lacked them).
CREATE TABLE ev.log_identity (
  only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  epoch      bigint      NOT NULL CHECK (epoch > 0),
  created_at timestamptz NOT NULL
);
INSERT INTO ev.log_identity (epoch, created_at) VALUES (1, clock_timestamp());
"""#),
        Migration(number: 2, name: "directory", sql: #"""
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
"""#),
        Migration(number: 3, name: "append_batch", sql: #"""
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
"""#),
        Migration(number: 4, name: "accounts", sql: #"""
-- Accounts become known, certificate chains get a number, catalogs get a revision.

-- Makes an account known, if it is not yet, and answers the lineages whose tokens name it: they are to be bound now.
-- An append that says "unknown" holds the same lock, so either its hint is read here or it finds the account known.
-- Also for a known account the hints are answered: the service may have stopped between making it known and binding.
CREATE FUNCTION ev.register_account(p_app smallint, p_account uuid, p_known_at timestamptz,
  OUT o_new boolean, OUT o_known_at timestamptz, OUT o_environments smallint[], OUT o_originals text[])
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  SELECT a.known_at INTO o_known_at FROM ev.account a WHERE a.app = p_app AND a.account = p_account;
  o_new := false;
  IF o_known_at IS NULL THEN
    PERFORM pg_advisory_xact_lock(ev.account_lock_key(p_app, p_account));
    SELECT a.known_at INTO o_known_at FROM ev.account a WHERE a.app = p_app AND a.account = p_account;
    IF o_known_at IS NULL THEN
      INSERT INTO ev.account (account, known_at, app) VALUES (p_account, p_known_at, p_app);
      o_known_at := p_known_at;
      o_new := true;
    END IF;
  END IF;
  SELECT coalesce(array_agg(h.environment ORDER BY h.environment, h.original_transaction_id), '{}'),
         coalesce(array_agg(h.original_transaction_id ORDER BY h.environment, h.original_transaction_id), '{}')
    INTO o_environments, o_originals
    FROM ev.lineage_hint h WHERE h.app = p_app AND h.account = p_account;
END $$;

-- The number of a JWS header. New ones come a few times a year, so one lock for all of them costs nothing.
CREATE FUNCTION ev.chain_of(p_hash bytea, p_header bytea, p_added_at timestamptz) RETURNS int
LANGUAGE plpgsql VOLATILE AS $$
DECLARE v_id int;
BEGIN
  SELECT c.chain_id INTO v_id FROM ev.chain c WHERE c.hash = p_hash;
  IF v_id IS NULL THEN
    LOCK TABLE ev.chain IN SHARE ROW EXCLUSIVE MODE;
    SELECT c.chain_id INTO v_id FROM ev.chain c WHERE c.hash = p_hash;
    IF v_id IS NULL THEN
      INSERT INTO ev.chain (chain_id, added_at, hash, header)
      SELECT coalesce(max(c.chain_id), 0) + 1, p_added_at, p_hash, p_header FROM ev.chain c
      RETURNING chain_id INTO v_id;
    END IF;
  END IF;
  RETURN v_id;
END $$;

-- Adds a catalog revision after the one that the caller has read. Answers its number, or null when another one was added
-- meanwhile or the app is not there.
CREATE FUNCTION ev.append_catalog(p_app smallint, p_previous int, p_recorded_at timestamptz, p_actor text,
                                  p_reason text, p_document text)
RETURNS int LANGUAGE plpgsql VOLATILE AS $$
DECLARE v_last int;
BEGIN
  PERFORM 1 FROM ev.app a WHERE a.app = p_app AND a.removed_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT coalesce(max(c.revision), 0) INTO v_last FROM ev.catalog_revision c WHERE c.app = p_app;
  IF v_last <> p_previous THEN RETURN NULL; END IF;
  INSERT INTO ev.catalog_revision (app, revision, recorded_at, actor, reason, document)
  VALUES (p_app, v_last + 1, p_recorded_at, p_actor, p_reason, p_document);
  RETURN v_last + 1;
END $$;

-- Adds an app, or serves a removed one again under its old number. Bundle id and number stay together for ever.
CREATE FUNCTION ev.put_app(p_bundle_id text, p_app_apple_id bigint, p_environments smallint[], p_created_at timestamptz)
RETURNS smallint LANGUAGE plpgsql VOLATILE AS $$
DECLARE v_app smallint;
BEGIN
  LOCK TABLE ev.app IN SHARE ROW EXCLUSIVE MODE;
  UPDATE ev.app a SET app_apple_id = p_app_apple_id, environments = p_environments, removed_at = NULL
   WHERE a.bundle_id = p_bundle_id RETURNING a.app INTO v_app;
  IF v_app IS NULL THEN
    INSERT INTO ev.app (app, bundle_id, app_apple_id, environments, created_at)
    SELECT coalesce(max(a.app), 0) + 1, p_bundle_id, p_app_apple_id, p_environments, p_created_at FROM ev.app a
    RETURNING app INTO v_app;
  END IF;
  RETURN v_app;
END $$;
"""#),
        Migration(number: 5, name: "generations", sql: #"""
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
"""#),
        Migration(number: 6, name: "audit", sql: #"""
-- What operators did: who, when, why, and how it ended. No event of a stream: an act that was refused is told here, too.

CREATE TABLE ev.audit (
  recorded_at timestamptz NOT NULL,
  app         smallint NOT NULL,
  environment smallint NOT NULL,  -- -1: all, or none in particular
  id          uuid     NOT NULL,  -- of the request
  account     uuid     NOT NULL,  -- zero: about no account, or one that was erased since
  actor       text     NOT NULL,
  scope       text     NOT NULL,
  act         text     NOT NULL,
  subject     text     NOT NULL,  -- a grant, purchase or revision; may be empty
  reason      text     NOT NULL,
  outcome     text     NOT NULL,  -- empty until it is known
  PRIMARY KEY (app, recorded_at, id)
);

CREATE INDEX audit_account ON ev.audit (app, account, recorded_at DESC, id DESC)
  WHERE account <> '00000000-0000-0000-0000-000000000000';
"""#),
    ]
}

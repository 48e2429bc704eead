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

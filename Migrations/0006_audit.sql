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

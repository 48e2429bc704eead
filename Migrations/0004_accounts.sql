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

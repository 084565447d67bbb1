-- Functions that several nouns use.

-- Background duties are sharded by buckets (0 to 63, domain/buckets.ts). The last byte is random in every UUID version.
CREATE FUNCTION workspace_bucket(p_workspace uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT get_byte(uuid_send(p_workspace), 15) & 63
$$;

-- A UUIDv7 of the transaction's time, for statements that insert a row per row of a set.
CREATE FUNCTION uuid_v7_of_now() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM now()::timestamptz(3)) * 1000)::bigint), 12, '0')
    || '7' || substr(gen_random_uuid()::text, 16))::uuid
$$;

-- ASCII letters and digits, anything else as one hyphen; at most 55 characters, which leaves room for a number.
CREATE FUNCTION slug_of(p_name text, p_otherwise text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(nullif(trim(BOTH '-_' FROM left(trim(BOTH '-_' FROM regexp_replace(
    regexp_replace(normalize(lower(p_name), NFKD), '[\u0300-\u036f]+', '', 'g'), '[^a-z0-9_]+', '-', 'g')), 55)), ''),
    p_otherwise)
$$;

-- TG_ARGV: the column within which slugs are unique, the condition of that index, and the slug of a name without
-- letters. The lock makes rows with the same name take turns.
CREATE FUNCTION give_slug() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_base text;
  v_scope uuid;
  v_taken text[];
BEGIN
  IF NEW.slug IS NOT NULL THEN RETURN NEW; END IF;
  v_base := slug_of(NEW.name, TG_ARGV[2]);
  v_scope := (to_jsonb(NEW) ->> TG_ARGV[0])::uuid;
  PERFORM pg_advisory_xact_lock(hashtextextended(TG_TABLE_NAME || ' ' || v_scope, 0));
  EXECUTE format('SELECT array_agg(slug) FROM %I WHERE %I = $1 AND %s AND (slug = $2 OR slug LIKE $3)',
    TG_TABLE_NAME, TG_ARGV[0], TG_ARGV[1]) INTO v_taken
    USING v_scope, v_base, replace(v_base, '_', '\_') || '-%';
  NEW.slug := CASE WHEN v_taken IS NULL OR NOT v_base = ANY (v_taken) THEN v_base ELSE (
    SELECT v_base || '-' || n FROM generate_series(2, cardinality(v_taken) + 2) n
    WHERE NOT v_base || '-' || n = ANY (v_taken) ORDER BY n LIMIT 1) END;
  RETURN NEW;
END $$;

-- For ETags (prisma/store/rowTag.ts): of two writers that read the same state, only one finds it unchanged.

CREATE FUNCTION count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;

-- Each cluster numbers its transactions from the start. After a restore into a new one, old cursors would miss changes.
CREATE TABLE database_systems (
  ordinal integer PRIMARY KEY,
  identifier bigint NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT now()
);

-- Puts this cluster's transaction numbers above those of earlier clusters. One of the first writers inserts its row.
CREATE FUNCTION transactions_before() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_here bigint := 0;
  v_last database_systems;
BEGIN
  -- If the role may not read the identifier, all clusters count as one.
  IF has_function_privilege('pg_control_system()'::regprocedure, 'EXECUTE') THEN
    SELECT c.system_identifier INTO v_here FROM pg_control_system() c;
  END IF;
  LOOP
    SELECT * INTO v_last FROM database_systems s ORDER BY s.ordinal DESC LIMIT 1;
    IF v_last.identifier = v_here THEN RETURN v_last.ordinal::bigint << 48; END IF;
    INSERT INTO database_systems (ordinal, identifier) VALUES (coalesce(v_last.ordinal + 1, 0), v_here)
    ON CONFLICT DO NOTHING;
  END LOOP;
END $$;

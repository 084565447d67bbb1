-- Entities.

-- json keeps the order of members for templates. `version` counts changes of the rules and announcements: a write of an
-- entity names the one of its check and holds the row FOR SHARE. `next_rules` are announced while entities are checked.
CREATE TABLE object_types (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  attribute_schema json,
  state_schema json,
  allow_unknown_attributes boolean NOT NULL DEFAULT false,
  is_enabled boolean NOT NULL DEFAULT true,
  managed_by_code boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  next_rules json,
  next_id uuid,
  next_until timestamptz(3),
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  revision integer NOT NULL DEFAULT 1,
  applied_project_id uuid,
  applied_owner text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX object_types_workspace_id_slug_key ON object_types (workspace_id, slug);
CREATE INDEX object_types_workspace_id_name_id_idx ON object_types (workspace_id, name, id);

CREATE TABLE objects (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  object_type_id uuid NOT NULL REFERENCES object_types ON DELETE CASCADE,
  name text NOT NULL,
  state text,
  attributes jsonb NOT NULL,
  owner_user_id uuid REFERENCES users ON DELETE SET NULL,
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  -- For optimistic concurrency: a write that was checked against a read fails if the row has been written since.
  revision integer NOT NULL DEFAULT 1,
  -- The persons behind the latest write, for object_changes.
  starters uuid[] NOT NULL DEFAULT '{}',
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX objects_object_type_id_id_idx ON objects (object_type_id, id);
-- Lists. The workspace comes first, so that totals need no rows. Ascending order is cheaper for imports.
CREATE INDEX objects_recent_idx ON objects (workspace_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX objects_recent_of_type_idx ON objects (workspace_id, object_type_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX objects_deleted_idx ON objects (workspace_id, updated_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX objects_in_state_idx ON objects (workspace_id, object_type_id, state, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX objects_by_name_idx ON objects (workspace_id, object_type_id, name, id) WHERE deleted_at IS NULL;
CREATE INDEX objects_by_creation_idx ON objects (workspace_id, object_type_id, created_at, id) WHERE deleted_at IS NULL;
-- Includes deleted entities, as imports need. Each search reads the pending list, which by default grows to 4 MB.
CREATE INDEX objects_attributes_idx ON objects USING gin (attributes jsonb_path_ops) WITH (gin_pending_list_limit = 64);
-- Few entities have an owner; deleting a user looks them up.
CREATE INDEX objects_owner_idx ON objects (owner_user_id) WHERE owner_user_id IS NOT NULL;

-- Without pg_trgm, searches by name read every entity. The role or the server may lack the extension.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX objects_search_idx ON objects USING gin (name gin_trgm_ops) WHERE deleted_at IS NULL;
EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
  RAISE NOTICE 'pg_trgm is not there: searches of entities have no index. Create the extension, then the index objects_search_idx as the migration does.';
END $$;

-- The rows of an import whose value (p_by_name, p_attribute) another entity has by now. During an import Postgres
-- underestimates a type's entities: so names are looked up at once, attributes before the type (OFFSET 0).
CREATE FUNCTION taken_import_rows(
  p_workspace uuid, p_type uuid, p_by_name boolean, p_attribute text, p_ids uuid[], p_names text[], p_attributes jsonb[]
) RETURNS uuid[] LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF p_by_name THEN
    RETURN (
      WITH found AS MATERIALIZED (
        SELECT o.id, o.name FROM objects o WHERE o.workspace_id = p_workspace AND o.object_type_id = p_type
          AND o.deleted_at IS NULL AND o.name = ANY (p_names)
      )
      SELECT coalesce(array_agg(r.id), '{}') FROM unnest(p_ids, p_names) AS r(id, name)
      WHERE EXISTS (SELECT FROM found o WHERE o.name = r.name AND o.id <> r.id));
  END IF;
  RETURN (
    SELECT coalesce(array_agg(r.id), '{}') FROM unnest(p_ids, p_attributes) AS r(id, attributes)
    WHERE r.attributes -> p_attribute NOT IN ('null', '""') AND EXISTS (
      SELECT FROM (
        SELECT o.* FROM objects o WHERE o.attributes @> jsonb_build_object(p_attribute, r.attributes -> p_attribute) OFFSET 0
      ) o
      WHERE o.workspace_id = p_workspace AND o.object_type_id = p_type AND o.deleted_at IS NULL
        AND o.attributes -> p_attribute = r.attributes -> p_attribute AND o.id <> r.id));
END $$;

-- Inserts entities of an import (importBatch.ts) if the type still has the rules of their check; NULL if not. Returns
-- the rows that were left out because another entity has their value by now; all others exist, possibly from an earlier
-- try. Writes may repeat values, so instead of a unique index, imports by one type and field take turns. One array per
-- column is read twice as fast as one jsonb.
CREATE FUNCTION import_objects(
  p_workspace uuid, p_type uuid, p_version integer, p_by_name boolean, p_attribute text,
  p_ids uuid[], p_names text[], p_states text[], p_attributes jsonb[], p_owners uuid[], p_user uuid, p_starters uuid[]
) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_matches boolean := p_by_name OR p_attribute IS NOT NULL;
  v_taken uuid[] := '{}';
BEGIN
  IF v_matches THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(p_type || ' ' || coalesce(p_attribute, ''), 0));
  END IF;
  PERFORM FROM object_types y WHERE y.id = p_type AND y.version = p_version FOR SHARE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF v_matches THEN
    v_taken := taken_import_rows(p_workspace, p_type, p_by_name, p_attribute, p_ids, p_names, p_attributes);
  END IF;
  INSERT INTO objects (id, workspace_id, object_type_id, name, state, attributes, owner_user_id, created_by_user_id, starters)
  SELECT r.id, p_workspace, p_type, r.name, r.state, r.attributes, r.owner_id, p_user, p_starters
  FROM unnest(p_ids, p_names, p_states, p_attributes, p_owners) AS r(id, name, state, attributes, owner_id)
  WHERE r.id <> ALL (v_taken) ON CONFLICT ON CONSTRAINT objects_pkey DO NOTHING;
  RETURN v_taken;
END $$;

-- Each move of an entity, by its new revision. No foreign key for the author, who may be deleted.
CREATE TABLE object_state_changes (
  object_id uuid NOT NULL REFERENCES objects ON DELETE CASCADE,
  revision integer NOT NULL,
  id uuid NOT NULL,
  from_state text,
  to_state text NOT NULL,
  reason text,
  changed_by_type text NOT NULL,
  changed_by_id uuid NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (object_id, revision)
);
CREATE INDEX object_state_changes_changed_at_id_idx ON object_state_changes (changed_at, id);

-- The outbox of entity changes. A reader continues by transaction and id up to the oldest running transaction, so that
-- no change appears behind its cursor. No foreign keys: a change outlives its entity, and lookups cost.
CREATE TABLE object_changes (
  id bigserial PRIMARY KEY,
  workspace_id uuid NOT NULL,
  object_id uuid NOT NULL,
  object_type_id uuid NOT NULL,
  revision integer NOT NULL,
  kind text NOT NULL,
  from_state text,
  to_state text,
  -- The persons behind it.
  starters uuid[] NOT NULL DEFAULT '{}',
  transaction_id bigint NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX object_changes_workspace_id_transaction_id_id_idx ON object_changes (workspace_id, transaction_id, id);

-- Per statement, because imports write a thousand rows at once.
CREATE FUNCTION note_object_creations() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_transaction bigint := transactions_before() + pg_current_xact_id()::text::bigint;
BEGIN
  INSERT INTO object_changes (workspace_id, object_id, object_type_id, revision, kind, to_state, starters, transaction_id)
  SELECT n.workspace_id, n.id, n.object_type_id, n.revision, 'created', n.state, n.starters, v_transaction
  FROM made n;
  RETURN NULL;
END $$;

CREATE TRIGGER objects_note_creations AFTER INSERT ON objects REFERENCING NEW TABLE AS made
FOR EACH STATEMENT EXECUTE FUNCTION note_object_creations();

CREATE FUNCTION note_object_changes() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_transaction bigint := transactions_before() + pg_current_xact_id()::text::bigint;
BEGIN
  INSERT INTO object_changes (workspace_id, object_id, object_type_id, revision, kind, from_state, to_state, starters,
    transaction_id)
  SELECT n.workspace_id, n.id, n.object_type_id, n.revision,
    CASE WHEN n.deleted_at IS NOT NULL AND o.deleted_at IS NULL THEN 'deleted'
      WHEN n.deleted_at IS NULL AND o.deleted_at IS NOT NULL THEN 'restored'
      WHEN n.state IS DISTINCT FROM o.state THEN 'stateChanged'
      ELSE 'updated' END,
    o.state, n.state, n.starters, v_transaction
  -- FULL JOIN with a null-safe condition, for the reason in queue_items_updated.
  FROM after_it n FULL JOIN before_it o ON o.id = n.id WHERE n.revision IS DISTINCT FROM o.revision;
  RETURN NULL;
END $$;

CREATE TRIGGER objects_note_changes AFTER UPDATE ON objects
REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it
FOR EACH STATEMENT EXECUTE FUNCTION note_object_changes();

CREATE FUNCTION forget_object_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM object_changes c WHERE c.workspace_id = OLD.id;
  RETURN NULL;
END $$;

CREATE TRIGGER workspaces_forget_object_changes AFTER DELETE ON workspaces
FOR EACH ROW EXECUTE FUNCTION forget_object_changes();

CREATE TRIGGER object_types_count_revision BEFORE UPDATE ON object_types FOR EACH ROW EXECUTE FUNCTION count_revision();

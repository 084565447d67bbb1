-- Workflows and their triggers.

CREATE TABLE workflows (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  is_active boolean NOT NULL DEFAULT true,
  is_internal boolean NOT NULL DEFAULT false,
  is_paused boolean NOT NULL DEFAULT false,
  managed_by_code boolean NOT NULL DEFAULT true,
  applied_owner text,
  orientation text NOT NULL DEFAULT 'horizontal',
  -- The newest version; none until the first draft is published.
  version_id uuid,
  version integer NOT NULL DEFAULT 0,
  timeout_ms bigint CHECK (timeout_ms BETWEEN 1 AND 31536000000),
  max_concurrent integer CHECK (max_concurrent BETWEEN 1 AND 1000),
  -- {name?, description}: a tool of the MCP server.
  expose_as_tool jsonb,
  -- Deferrable, because two workflows of a bundle may name each other.
  on_failure_workflow_id uuid REFERENCES workflows ON DELETE RESTRICT DEFERRABLE,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((version_id IS NULL) = (version = 0))
);
CREATE UNIQUE INDEX workflows_project_id_slug_key ON workflows (project_id, slug);
CREATE INDEX workflows_workspace_id_updated_at_id_idx ON workflows (workspace_id, updated_at DESC, id DESC);
-- Few workflows are; each list and call of tools reads all of the workspace.
CREATE INDEX workflows_exposed_idx ON workflows (workspace_id) WHERE expose_as_tool IS NOT NULL;
-- Few workflows have one; a deletion searches for workflows that name it.
CREATE INDEX workflows_on_failure_idx ON workflows (on_failure_workflow_id) WHERE on_failure_workflow_id IS NOT NULL;
-- The error workflow of the project's workflows that name none.
ALTER TABLE projects ADD COLUMN on_failure_workflow_id uuid REFERENCES workflows ON DELETE RESTRICT;
CREATE INDEX projects_on_failure_idx ON projects (on_failure_workflow_id) WHERE on_failure_workflow_id IS NOT NULL;

-- The list of tools of the workspace has changed.
CREATE FUNCTION tell_tools() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('perdure_tools', coalesce(NEW.workspace_id, OLD.workspace_id)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER workflows_tell_new_tool AFTER INSERT ON workflows FOR EACH ROW
WHEN (NEW.expose_as_tool IS NOT NULL) EXECUTE FUNCTION tell_tools();
CREATE TRIGGER workflows_tell_tools AFTER UPDATE ON workflows FOR EACH ROW
WHEN (num_nonnulls(OLD.expose_as_tool, NEW.expose_as_tool) > 0
  AND (OLD.expose_as_tool, OLD.is_active, OLD.version_id, OLD.slug, OLD.name)
    IS DISTINCT FROM (NEW.expose_as_tool, NEW.is_active, NEW.version_id, NEW.slug, NEW.name))
EXECUTE FUNCTION tell_tools();
CREATE TRIGGER workflows_tell_lost_tool AFTER DELETE ON workflows FOR EACH ROW
WHEN (OLD.expose_as_tool IS NOT NULL) EXECUTE FUNCTION tell_tools();

-- No foreign key to the workflow: a version outlives it while executions refer to it (deleted_workflows).
CREATE TABLE workflow_versions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  workflow_id uuid NOT NULL,
  version integer NOT NULL,
  definition jsonb NOT NULL,
  hash bytea NOT NULL,
  -- References: `connection/<id>`, `workflow@<slug>` (domain/reference/namedBy.ts).
  named text[] NOT NULL DEFAULT '{}',
  -- Readable without the definition, which may be long.
  trigger_type text GENERATED ALWAYS AS (definition #>> '{trigger,type}') STORED,
  -- The author: user or apiKey, and its id. No foreign key, because the version outlives them.
  created_by_type text,
  created_by_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX workflow_versions_named_idx ON workflow_versions USING gin (named);
CREATE INDEX workflow_versions_workspace_id_idx ON workflow_versions (workspace_id);
CREATE UNIQUE INDEX workflow_versions_workflow_id_version_key ON workflow_versions (workflow_id, version);
-- A foreign key to both columns guarantees that version and workflow match.
CREATE UNIQUE INDEX workflow_versions_workflow_id_id_key ON workflow_versions (workflow_id, id);
-- Each names the other; one statement writes both.
ALTER TABLE workflows ADD FOREIGN KEY (id, version_id) REFERENCES workflow_versions (workflow_id, id)
  ON DELETE RESTRICT;

-- Only drafts are made without a slug.
CREATE TRIGGER workflows_give_slug BEFORE INSERT ON workflows
FOR EACH ROW EXECUTE FUNCTION give_slug('project_id', 'true', 'workflow');

-- The next version of a workflow as people work on it: the body of an upsert, whose definition may have problems.
CREATE TABLE workflow_drafts (
  workflow_id uuid PRIMARY KEY REFERENCES workflows ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  body jsonb NOT NULL,
  -- The newest version when the draft was begun.
  base_version integer NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  -- The last author: user or apiKey, and its id. No foreign key, because the draft outlives them.
  updated_by_type text,
  updated_by_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE TRIGGER workflow_drafts_count_revision BEFORE UPDATE ON workflow_drafts
FOR EACH ROW EXECUTE FUNCTION count_revision();

-- The needs of a deleted workflow's executions: name, limits, error workflow (no foreign key: it may be deleted).
CREATE TABLE deleted_workflows (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  orientation text NOT NULL,
  timeout_ms bigint,
  max_concurrent integer,
  on_failure_workflow_id uuid,
  deleted_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX deleted_workflows_deleted_at_id_idx ON deleted_workflows (deleted_at, id);

CREATE FUNCTION keep_deleted_workflow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_workflows (id, workspace_id, name, orientation, timeout_ms, max_concurrent, on_failure_workflow_id)
  SELECT OLD.id, w.id, OLD.name, OLD.orientation, OLD.timeout_ms, OLD.max_concurrent, OLD.on_failure_workflow_id
  -- With its workspace all of it is deleted.
  FROM workspaces w WHERE w.id = OLD.workspace_id;
  RETURN NULL;
END $$;

CREATE TRIGGER workflows_keep_deleted AFTER DELETE ON workflows
FOR EACH ROW EXECUTE FUNCTION keep_deleted_workflow();

-- As wanted and as delivered to the engine. No foreign key: a row stays until the engine has deleted the schedule.
CREATE TABLE workflow_schedules (
  workflow_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  revision bigint NOT NULL DEFAULT 1,
  applied_revision bigint NOT NULL DEFAULT 0,
  applied text,
  claimed_until timestamptz(3) NOT NULL DEFAULT now(),
  checked_at timestamptz(3) NOT NULL DEFAULT now(),
  error text,
  -- The transaction that activated the trigger or changed its source. Polls of entity changes begin here.
  since_transaction bigint NOT NULL DEFAULT 0
);
CREATE INDEX workflow_schedules_checked_at_idx ON workflow_schedules (checked_at);
-- For the reconciler: schedules that differ from the engine.
CREATE INDEX workflow_schedules_stale_idx ON workflow_schedules (claimed_until) WHERE revision <> applied_revision;

-- The state of poll triggers.
CREATE TABLE poll_storage (
  workflow_id uuid PRIMARY KEY REFERENCES workflows ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  source text,
  cursor jsonb,
  last_polled_at timestamptz(3),
  last_error jsonb,
  not_before timestamptz(3),
  -- The engine's workflow of the latest poll if it found nothing; the next poll removes it from the engine's list.
  idle_workflow_id text,
  idle_run_id text
);

CREATE TABLE poll_seen_keys (
  workflow_id uuid NOT NULL REFERENCES workflows ON DELETE CASCADE,
  source text NOT NULL,
  key_hash text NOT NULL,
  ordinal bigserial NOT NULL,
  PRIMARY KEY (workflow_id, source, key_hash)
);
CREATE INDEX poll_seen_keys_workflow_id_ordinal_idx ON poll_seen_keys (workflow_id, ordinal);

-- Within the period of `duplicates`. No foreign key: the key is claimed before the execution exists.
CREATE TABLE webhook_deliveries (
  workspace_id uuid NOT NULL,
  workflow_id uuid NOT NULL REFERENCES workflows ON DELETE CASCADE,
  key_hash bytea NOT NULL,
  execution_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workflow_id, key_hash)
);
CREATE INDEX webhook_deliveries_expires_at_idx ON webhook_deliveries (expires_at);
-- Retention keeps an execution while a delivery names it.
CREATE INDEX webhook_deliveries_execution_id_idx ON webhook_deliveries (execution_id);

-- Passes input and answer of a node test around histories. Its caller or the reconciler deletes the row.
CREATE TABLE node_tests (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  -- The definition of a version, or one that is not stored, with the project whose variables it reads.
  workflow_id uuid REFERENCES workflows ON DELETE CASCADE,
  version_id uuid,
  definition jsonb,
  project_id uuid,
  node_id text NOT NULL,
  request jsonb NOT NULL,
  answer jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CHECK ((definition IS NULL) <> (version_id IS NULL))
);
CREATE INDEX node_tests_expires_at_idx ON node_tests (expires_at);

-- Returns the trigger of a version without its polling interval.
CREATE FUNCTION trigger_source(p_version uuid) RETURNS jsonb STABLE LANGUAGE sql AS $$
  SELECT v.definition -> 'trigger' #- '{config,everyMs}' FROM workflow_versions v WHERE v.id = p_version
$$;

CREATE FUNCTION mark_workflow_schedule() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_since bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE workflow_schedules SET revision = revision + 1 WHERE workflow_id = OLD.id;
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' OR (NEW.is_active AND NOT OLD.is_active) OR (NEW.version_id IS DISTINCT FROM OLD.version_id
    AND trigger_source(NEW.version_id) IS DISTINCT FROM trigger_source(OLD.version_id)) THEN
    v_since := transactions_before() + pg_current_xact_id()::text::bigint;
  END IF;
  UPDATE workflow_schedules SET revision = revision + 1, since_transaction = coalesce(v_since, since_transaction)
  WHERE workflow_id = NEW.id;
  IF NOT FOUND AND trigger_source(NEW.version_id) #>> '{type}' IN ('schedule', 'poll') THEN
    INSERT INTO workflow_schedules (workflow_id, workspace_id, since_transaction)
    VALUES (NEW.id, NEW.workspace_id, coalesce(v_since, transactions_before() + pg_current_xact_id()::text::bigint))
    ON CONFLICT (workflow_id) DO UPDATE SET revision = workflow_schedules.revision + 1;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER workflows_mark_schedule AFTER INSERT OR UPDATE OR DELETE ON workflows
FOR EACH ROW EXECUTE FUNCTION mark_workflow_schedule();

CREATE TRIGGER workflows_count_revision BEFORE UPDATE ON workflows FOR EACH ROW EXECUTE FUNCTION count_revision();

-- Queues.

CREATE TABLE queues (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  slug text,
  description text,
  priority integer NOT NULL DEFAULT 0,
  is_active boolean NOT NULL DEFAULT true,
  max_retries integer NOT NULL DEFAULT 3,
  retry_delay_minutes double precision NOT NULL DEFAULT 5,
  batch_size integer NOT NULL DEFAULT 10 CHECK (batch_size BETWEEN 1 AND 500),
  max_concurrent integer NOT NULL DEFAULT 1 CHECK (max_concurrent BETWEEN 1 AND 1000),
  data_schema json,
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  revision integer NOT NULL DEFAULT 1,
  applied_project_id uuid,
  applied_owner text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  CHECK (deleted_at IS NULL OR NOT is_active)
);
CREATE INDEX queues_workspace_id_priority_created_at_id_idx ON queues (workspace_id, priority DESC, created_at, id);
-- A deleted queue keeps its slug; another queue may reuse it.
CREATE UNIQUE INDEX queues_project_id_slug_key ON queues (project_id, slug) WHERE deleted_at IS NULL;
CREATE TRIGGER queues_give_slug BEFORE INSERT ON queues
FOR EACH ROW EXECUTE FUNCTION give_slug('project_id', 'deleted_at IS NULL', 'queue');

-- Notifies like a ready item: an activated queue has ready items, and a higher limit has room for batches.
CREATE FUNCTION queue_opened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('perdure_queue', NEW.workspace_id || ' ' || NEW.id || ' ');
  RETURN NULL;
END $$;
CREATE TRIGGER queues_opened AFTER UPDATE ON queues FOR EACH ROW
WHEN (NEW.is_active AND (NOT OLD.is_active OR NEW.max_concurrent > OLD.max_concurrent)) EXECUTE FUNCTION queue_opened();

CREATE TRIGGER queues_count_revision BEFORE UPDATE ON queues FOR EACH ROW EXECUTE FUNCTION count_revision();

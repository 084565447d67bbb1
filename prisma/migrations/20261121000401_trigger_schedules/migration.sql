-- What the engine's clock is to do for workflows, and what of it the engine knows.

CREATE TABLE workflow_schedules (
  workflow_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  revision bigint NOT NULL DEFAULT 1,
  applied_revision bigint NOT NULL DEFAULT 0,
  applied text,
  claimed_until timestamptz(3) NOT NULL DEFAULT now(),
  checked_at timestamptz(3) NOT NULL DEFAULT now(),
  error text
);
CREATE INDEX workflow_schedules_checked_at_idx ON workflow_schedules (checked_at);
-- What the reconciler looks for: those that the engine does not know as they are.
CREATE INDEX workflow_schedules_stale_idx ON workflow_schedules (claimed_until) WHERE revision <> applied_revision;

-- A trigger, so that no change of a workflow is forgotten, whoever makes it: an upsert, a pause, a deletion.
CREATE FUNCTION mark_workflow_schedule() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE workflow_schedules SET revision = revision + 1 WHERE workflow_id = OLD.id;
    RETURN NULL;
  END IF;
  UPDATE workflow_schedules SET revision = revision + 1 WHERE workflow_id = NEW.id;
  IF NOT FOUND AND EXISTS (
    SELECT 1 FROM workflow_versions v
    WHERE v.id = NEW.version_id AND v.definition #>> '{trigger,type}' IN ('schedule', 'poll')
  ) THEN
    INSERT INTO workflow_schedules (workflow_id, workspace_id) VALUES (NEW.id, NEW.workspace_id)
    ON CONFLICT (workflow_id) DO UPDATE SET revision = workflow_schedules.revision + 1;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER workflows_mark_schedule AFTER INSERT OR UPDATE OR DELETE ON workflows
FOR EACH ROW EXECUTE FUNCTION mark_workflow_schedule();

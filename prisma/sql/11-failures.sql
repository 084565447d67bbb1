-- Error workflows.

-- Starts of error workflows: due, started, or refused. No foreign keys: handlers may be deleted, ids precede rows.
CREATE TABLE failure_handlings (
  execution_id uuid PRIMARY KEY REFERENCES executions ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  handler_workflow_id uuid NOT NULL,
  handler_execution_id uuid,
  status text NOT NULL DEFAULT 'PENDING',
  error jsonb,
  attempts integer NOT NULL DEFAULT 0,
  -- Until then at most one process tries.
  not_before timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX failure_handlings_handler_execution_id_key ON failure_handlings (handler_execution_id);
CREATE INDEX failure_handlings_pending_idx ON failure_handlings (workspace_id, not_before) WHERE status = 'PENDING';

-- Executions started by a failure start no error workflow; a broken one would start itself forever. Tests of drafts,
-- and what they start, start none.
CREATE FUNCTION note_failure() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_handler uuid;
  v_chained boolean;
BEGIN
  SELECT w.on_failure_workflow_id INTO v_handler FROM workflows w WHERE w.id = NEW.workflow_id
  UNION ALL SELECT d.on_failure_workflow_id FROM deleted_workflows d WHERE d.id = NEW.workflow_id;
  IF v_handler IS NULL THEN
    SELECT p.on_failure_workflow_id INTO v_handler FROM projects p
    WHERE p.id = NEW.project_id AND p.on_failure_workflow_id <> NEW.workflow_id;
  END IF;
  IF v_handler IS NULL OR is_of_draft(NEW) THEN RETURN NULL; END IF;
  WITH RECURSIVE line AS (
    SELECT NEW.id AS id, NEW.parent_execution_id AS parent
    UNION
    SELECT p.id, p.parent_execution_id FROM line l JOIN executions p
      ON p.id = l.parent AND p.workspace_id = NEW.workspace_id
  )
  SELECT EXISTS (SELECT FROM line l JOIN failure_handlings f ON f.handler_execution_id = l.id) INTO v_chained;
  INSERT INTO failure_handlings (execution_id, workspace_id, handler_workflow_id, status, error)
  VALUES (NEW.id, NEW.workspace_id, v_handler, CASE WHEN v_chained THEN 'NOT_STARTED' ELSE 'PENDING' END,
    CASE WHEN v_chained THEN jsonb_build_object('code', 'FAILURE_OF_ERROR_WORKFLOW',
      'message', 'It was started by an error workflow, whose failures start no other') END)
  ON CONFLICT (execution_id) DO NOTHING;
  IF FOUND AND NOT v_chained THEN PERFORM pg_notify('perdure_failure', NEW.workspace_id::text); END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER executions_note_failure AFTER UPDATE OF status ON executions
FOR EACH ROW WHEN (NEW.status IN ('FAILED', 'TIMED_OUT') AND OLD.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'))
EXECUTE FUNCTION note_failure();

-- Pause and limit of a workflow's new starts. A start that may not begin yet is accepted like any other: its row is
-- PENDING and held, and nothing of it is in the engine (a child's workflow is, and waits).

ALTER TABLE workflows
  ADD COLUMN is_paused boolean NOT NULL DEFAULT false,
  ADD COLUMN max_concurrent integer CHECK (max_concurrent BETWEEN 1 AND 1000);

ALTER TABLE executions
  ADD COLUMN held boolean NOT NULL DEFAULT false,
  ADD COLUMN released_at timestamptz(3),
  ADD COLUMN limited boolean NOT NULL DEFAULT false;

-- The line of a workflow, and those that count towards its limit. Executions of other workflows are in neither.
CREATE INDEX executions_held_idx ON executions (workflow_id, number) WHERE held;
CREATE INDEX executions_limited_idx ON executions (workflow_id) WHERE limited AND NOT held AND stopped_at IS NULL;

-- As start_workflow_execution, and holds the execution where its workflow is paused, has as many as it may have, or
-- others are held before it. Only starts of such workflows lock the workflow's row: what they count is then true until
-- their row is written, and they stand in line by their numbers.
-- A held row is never due for the reconciler, also not for one that does not know of `held`.
CREATE FUNCTION accept_workflow_execution(
  p_workspace uuid, p_workflow uuid, p_version uuid, p_execution uuid, p_trigger jsonb, p_variables text[],
  p_request text
) RETURNS TABLE (
  name text, "projectId" uuid, number integer, variables jsonb, "startedAt" timestamptz, "timeoutMs" float8,
  held boolean, limited boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_workflow workflows%ROWTYPE;
  v_number integer;
  v_variables jsonb := '{}';
  v_held boolean := false;
BEGIN
  SELECT * INTO v_workflow FROM workflows w
  WHERE w.id = p_workflow AND w.workspace_id = p_workspace AND w.version_id = p_version AND w.is_active;
  IF NOT FOUND OR EXISTS (SELECT 1 FROM executions e WHERE e.id = p_execution) THEN RETURN; END IF;

  IF v_workflow.is_paused OR v_workflow.max_concurrent IS NOT NULL THEN
    SELECT * INTO v_workflow FROM workflows w
    WHERE w.id = p_workflow AND w.workspace_id = p_workspace AND w.version_id = p_version AND w.is_active
    FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    v_held := v_workflow.is_paused OR (v_workflow.max_concurrent IS NOT NULL AND (
      EXISTS (SELECT 1 FROM executions e WHERE e.workflow_id = p_workflow AND e.held)
      OR v_workflow.max_concurrent <= (
        SELECT count(*) FROM executions e
        WHERE e.workflow_id = p_workflow AND e.limited AND NOT e.held AND e.stopped_at IS NULL)));
  END IF;

  IF p_variables IS NULL OR cardinality(p_variables) > 0 THEN
    SELECT COALESCE(jsonb_object_agg(v.name, v.value), '{}') INTO v_variables FROM (
      SELECT DISTINCT ON (a.name) a.name, a.value FROM variables a
      WHERE a.workspace_id = p_workspace AND (a.project_id IS NULL OR a.project_id = v_workflow.project_id)
        AND (p_variables IS NULL OR a.name = ANY (p_variables))
      ORDER BY a.name, a.project_id NULLS LAST
    ) v;
  END IF;

  UPDATE workspaces w SET execution_count = w.execution_count + 1 WHERE w.id = p_workspace
  RETURNING w.execution_count INTO v_number;

  RETURN QUERY INSERT INTO executions AS e (
      id, workspace_id, project_id, workflow_id, version_id, number, name, source, is_internal, trigger, variables,
      request_id, held, limited, reconciled_at)
    VALUES (p_execution, p_workspace, v_workflow.project_id, p_workflow, p_version, v_number, v_workflow.name,
      'WORKFLOW', v_workflow.is_internal, p_trigger, v_variables, p_request, v_held,
      v_workflow.max_concurrent IS NOT NULL, CASE WHEN v_held THEN 'infinity' ELSE now() END)
    ON CONFLICT (id) DO NOTHING
    RETURNING e.name, e.project_id, e.number, e.variables, e.started_at::timestamptz,
      v_workflow.timeout_ms::float8, e.held, e.limited;
END $$;

-- As accept_child_execution, by accept_workflow_execution. No row where nothing was written.
CREATE FUNCTION accept_held_child_execution(
  p_workspace uuid, p_workflow uuid, p_version uuid, p_execution uuid, p_trigger jsonb, p_variables text[],
  p_request text, p_parent uuid, p_starter text
) RETURNS TABLE ("timeoutMs" float8, held boolean, limited boolean)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT s."timeoutMs", s.held, s.limited FROM accept_workflow_execution(
    p_workspace, p_workflow, p_version, p_execution, p_trigger, p_variables, p_request) s;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE executions e SET parent_execution_id = p_parent, starter_id = p_starter
  WHERE e.id = p_execution AND e.workspace_id = p_workspace;
END $$;

-- As retry_execution, by accept_workflow_execution; a further outcome is held.
CREATE FUNCTION accept_retry(
  p_workspace uuid, p_before uuid, p_execution uuid, p_head uuid, p_version uuid, p_trigger jsonb, p_variables text[],
  p_request text, p_progress jsonb, p_kept jsonb, OUT outcome text, OUT limited boolean
) LANGUAGE plpgsql AS $$
DECLARE
  v_before executions%ROWTYPE;
  v_number integer;
  v_held boolean := false;
BEGIN
  limited := false;
  outcome := 'exists';
  IF EXISTS (SELECT 1 FROM executions e WHERE e.id = p_execution) THEN RETURN; END IF;
  -- Held until the steps are copied: retention waits so long.
  SELECT * INTO v_before FROM executions e
  WHERE e.id = p_before AND e.workspace_id = p_workspace
    AND e.status IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  FOR SHARE;
  outcome := 'absent';
  IF NOT FOUND THEN RETURN; END IF;

  IF v_before.workflow_id IS NOT NULL THEN
    SELECT s.held, s.limited INTO v_held, limited
    FROM accept_workflow_execution(p_workspace, v_before.workflow_id, p_head, p_execution,
      COALESCE(p_trigger, v_before.trigger), p_variables, p_request) s;
    outcome := 'stale';
    IF NOT FOUND THEN RETURN; END IF;
  ELSE
    UPDATE workspaces w SET execution_count = w.execution_count + 1 WHERE w.id = p_workspace
    RETURNING w.execution_count INTO v_number;
    INSERT INTO executions (id, workspace_id, definition, number, name, source, trigger, variables, request_id)
    VALUES (p_execution, p_workspace, v_before.definition, v_number, v_before.name, v_before.source,
      COALESCE(p_trigger, v_before.trigger),
      CASE WHEN cardinality(p_variables) = 0 THEN '{}' ELSE (
        SELECT COALESCE(jsonb_object_agg(v.name, v.value), '{}') FROM variables v
        WHERE v.workspace_id = p_workspace AND v.project_id IS NULL
          AND (p_variables IS NULL OR v.name = ANY (p_variables))) END,
      p_request)
    ON CONFLICT (id) DO NOTHING;
    outcome := 'exists';
    IF NOT FOUND THEN RETURN; END IF;
  END IF;

  UPDATE executions e SET version_id = p_version, retry_of_id = p_before, initial_progress = p_progress
  WHERE e.id = p_execution;

  INSERT INTO execution_steps (
    id, execution_id, workspace_id, node_id, iteration, label, type, app_id, action_id, status, attempt, handle, input,
    output, error, queued_at, started_at, stopped_at, copied_from_id, iterations_total, iterations_completed,
    iterations_failed)
  SELECT k.id, p_execution, p_workspace, s.node_id, '', s.label, s.type, s.app_id, s.action_id, s.status, s.attempt,
    s.handle, s.input, s.output, s.error, s.queued_at, s.started_at, s.stopped_at, s.id, s.iterations_total,
    s.iterations_completed, s.iterations_failed
  FROM jsonb_to_recordset(p_kept) AS k("nodeId" text, id uuid)
  JOIN execution_steps s ON s.execution_id = p_before AND s.node_id = k."nodeId" AND s.iteration = ''
  ORDER BY s.position;

  outcome := CASE WHEN v_held THEN 'held' ELSE 'created' END;
END $$;

-- Lets go what is held, as many as pause and limit allow and p_most at once, in the order of their numbers
-- (prisma/store/execution/releaseHeld.ts). The workflow's lock makes starts and other releases wait, so that the count
-- is true. What somebody is writing right now (who cancels it) stays. Of a workflow that is gone all go.
CREATE FUNCTION release_held_executions(p_workspace uuid, p_workflow uuid, p_most integer)
RETURNS TABLE (id uuid, number integer, revision integer, limited boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_paused boolean;
  v_limit integer;
  v_room integer := p_most;
BEGIN
  SELECT w.is_paused, w.max_concurrent INTO v_paused, v_limit FROM workflows w
  WHERE w.id = p_workflow AND w.workspace_id = p_workspace FOR NO KEY UPDATE;
  IF v_paused THEN RETURN; END IF;
  IF v_limit IS NOT NULL THEN
    SELECT least(p_most, v_limit - count(*)) INTO v_room FROM executions e
    WHERE e.workflow_id = p_workflow AND e.limited AND NOT e.held AND e.stopped_at IS NULL;
  END IF;
  IF v_room <= 0 THEN RETURN; END IF;

  RETURN QUERY WITH next AS MATERIALIZED (
      SELECT n.id FROM executions n
      WHERE n.workflow_id = p_workflow AND n.workspace_id = p_workspace AND n.held AND n.stopped_at IS NULL
      ORDER BY n.number LIMIT v_room FOR UPDATE SKIP LOCKED)
    UPDATE executions e SET
      held = false, limited = v_limit IS NOT NULL, released_at = now(), started_at = now(), updated_at = now(),
      reconciled_at = now(), revision = e.revision + 1
    FROM next WHERE e.id = next.id
    RETURNING e.id, e.number, e.revision, e.limited;
END $$;

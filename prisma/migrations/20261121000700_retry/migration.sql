ALTER TABLE executions ADD COLUMN initial_progress jsonb;
ALTER TABLE execution_steps ADD COLUMN copied_from_id uuid;

-- A retry (prisma/store/execution/createRetry.ts): a PENDING execution linked to the one before it, with copies of the
-- steps that are kept and the progress that it begins with. p_kept: [{nodeId, id}], ids are of the copies. Of a loop
-- its own step is copied; its iterations stand in the execution that ran them.
-- A workflow's retry is a start of the workflow as it is now (p_head is its present version, so it is active and all
-- that holds for starts holds for it), which then gets the version that it is to run. An ad-hoc run's has its
-- definition. p_trigger null: the trigger of the one before. Answers created, or why nothing was written: exists
-- (the execution, already), absent (the one before, or it is open), stale (the workflow is at another version or not
-- active).
CREATE FUNCTION retry_execution(
  p_workspace uuid, p_before uuid, p_execution uuid, p_head uuid, p_version uuid, p_trigger jsonb, p_variables text[],
  p_request text, p_progress jsonb, p_kept jsonb
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_before executions%ROWTYPE;
  v_number integer;
BEGIN
  IF EXISTS (SELECT 1 FROM executions e WHERE e.id = p_execution) THEN RETURN 'exists'; END IF;
  -- Held until the steps are copied: retention waits so long.
  SELECT * INTO v_before FROM executions e
  WHERE e.id = p_before AND e.workspace_id = p_workspace
    AND e.status IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  FOR SHARE;
  IF NOT FOUND THEN RETURN 'absent'; END IF;

  IF v_before.workflow_id IS NOT NULL THEN
    PERFORM 1 FROM start_workflow_execution(p_workspace, v_before.workflow_id, p_head, p_execution,
      COALESCE(p_trigger, v_before.trigger), p_variables, p_request) s;
    IF NOT FOUND THEN RETURN 'stale'; END IF;
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
    IF NOT FOUND THEN RETURN 'exists'; END IF;
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

  RETURN 'created';
END $$;

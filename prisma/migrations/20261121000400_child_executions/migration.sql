-- Executions that another workflow of the engine starts as its child: of a schedule, a poll, a runWorkflow node.

-- The engine's id of the workflow that starts it. While that one runs, nobody else does.
ALTER TABLE executions ADD COLUMN starter_id text;

-- As start_workflow_execution, with parent and starter; in one function, so that no row is ever there without them.
CREATE FUNCTION accept_child_execution(
  p_workspace uuid, p_workflow uuid, p_version uuid, p_execution uuid, p_trigger jsonb, p_variables text[],
  p_request text, p_parent uuid, p_starter text
) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM start_workflow_execution(p_workspace, p_workflow, p_version, p_execution, p_trigger, p_variables, p_request);
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE executions SET parent_execution_id = p_parent, starter_id = p_starter
  WHERE id = p_execution AND workspace_id = p_workspace;
  RETURN true;
END $$;

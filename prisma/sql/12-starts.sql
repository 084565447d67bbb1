-- Starts of executions.

-- All lock the execution's row first, which orders writes. FOR NO KEY UPDATE blocks no inserts that refer to it.

-- Notifies other processes. Postgres commits notifying transactions one after another, and every listener gets all. The
-- last three parameters are the row when it was locked. VOLATILE and called after the lock, so it sees every follower
-- that has not seen the transaction (engine/feeds/changeFeed.ts, prisma/store/stream/follow.ts).
CREATE FUNCTION notify_change(
  p_workspace uuid, p_execution uuid, p_revision integer, p_status text, p_responded boolean,
  p_notice text, p_followed_until timestamptz, p_had_responded boolean
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF (p_notice <> 'none' AND p_status NOT IN ('PENDING', 'RUNNING'))
    OR (p_notice = 'each' AND p_responded AND NOT p_had_responded)
    OR p_followed_until > now()
    OR EXISTS (SELECT FROM followed_workspaces f WHERE f.workspace_id = p_workspace AND f.expires_at > now())
  THEN
    PERFORM pg_notify('perdure_change', concat_ws(' ', p_execution, p_revision, p_status, p_responded::text));
  END IF;
END $$;

CREATE FUNCTION notice_after(p_notice text, p_status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_notice = 'first' AND p_status NOT IN ('PENDING', 'RUNNING') THEN 'none' ELSE p_notice END
$$;

-- How many executions may begin now (`room`, NULL: any number), and whether they count. With p_behind, new starts queue
-- behind held ones. Locks the workflow, so that the count is valid until the caller's write is visible.
CREATE FUNCTION workflow_gate(
  p_workspace uuid, p_workflow uuid, p_behind boolean, OUT room integer, OUT limited boolean
) LANGUAGE plpgsql AS $$
DECLARE
  v_paused boolean;
  v_limit integer;
BEGIN
  SELECT w.is_paused, w.max_concurrent INTO v_paused, v_limit FROM workflows w
  WHERE w.id = p_workflow AND w.workspace_id = p_workspace FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    SELECT d.max_concurrent INTO v_limit FROM deleted_workflows d
    WHERE d.id = p_workflow AND d.workspace_id = p_workspace FOR NO KEY UPDATE;
  END IF;
  limited := v_limit IS NOT NULL;
  IF v_paused THEN
    room := 0;
  ELSIF limited AND p_behind AND EXISTS (SELECT 1 FROM executions e WHERE e.workflow_id = p_workflow AND e.held) THEN
    room := 0;
  ELSIF limited THEN
    SELECT greatest(0, v_limit - count(*)) INTO room FROM executions e
    WHERE e.workflow_id = p_workflow AND e.limited AND NOT e.held AND e.stopped_at IS NULL;
  END IF;
END $$;

-- Running executions count towards a new limit; tests of a draft never do.
CREATE FUNCTION count_towards_limit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE executions e SET limited = true
  WHERE e.workspace_id = NEW.workspace_id AND e.workflow_id = NEW.id
    AND e.status IN ('PENDING', 'RUNNING', 'WAITING', 'NEEDS_INPUT') AND NOT e.limited AND e.version_id IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER workflows_count_towards_limit AFTER UPDATE OF max_concurrent ON workflows
FOR EACH ROW WHEN (NEW.max_concurrent IS NOT NULL)
EXECUTE FUNCTION count_towards_limit();

-- The variables with these names (NULL: all), those of the project before those of the workspace.
CREATE FUNCTION variables_at_start(p_workspace uuid, p_project uuid, p_names text[]) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT COALESCE(jsonb_object_agg(v.name, v.value), '{}') FROM (
    SELECT DISTINCT ON (a.name) a.name, a.value FROM variables a
    WHERE a.workspace_id = p_workspace AND (a.project_id IS NULL OR a.project_id = p_project)
      AND (p_names IS NULL OR a.name = ANY (p_names))
    ORDER BY a.name, a.project_id NULLS LAST
  ) v
$$;

-- Accepts a start of a version (createExecution.ts): the PENDING row, its number, and its variables, those of the
-- project before those of the workspace. No row if the workflow is inactive or at another version, or the execution
-- exists. It is held if the workflow is paused or at its limit, or others are held before it. Only starts of such
-- workflows lock the workflow's row; the reconciler never claims a held row. p_variables: NULL for all. p_queue: the
-- queue of its batch, which is never held. p_by_type, p_by_id: the login or key. p_starters: NULL for the person behind
-- p_by_id. p_labels: NULL if computed later (computedLabels.ts). p_notice: the column.
CREATE FUNCTION accept_execution(
  p_workspace uuid, p_workflow uuid, p_version uuid, p_execution uuid, p_trigger jsonb, p_variables text[],
  p_request text, p_started_by text, p_by_type text, p_by_id uuid, p_queue uuid DEFAULT NULL,
  p_labels jsonb DEFAULT '{}', p_trace text DEFAULT NULL, p_notice text DEFAULT 'first', p_starters uuid[] DEFAULT NULL
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
    SELECT coalesce(g.room <= 0, false) INTO v_held FROM workflow_gate(p_workspace, p_workflow, true) g;
    IF v_held AND p_queue IS NOT NULL THEN RETURN; END IF;
    SELECT * INTO v_workflow FROM workflows w
    WHERE w.id = p_workflow AND w.workspace_id = p_workspace AND w.version_id = p_version AND w.is_active;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;

  IF p_variables IS NULL OR cardinality(p_variables) > 0 THEN
    v_variables := variables_at_start(p_workspace, v_workflow.project_id, p_variables);
  END IF;

  UPDATE workspaces w SET execution_count = w.execution_count + 1 WHERE w.id = p_workspace
  RETURNING w.execution_count INTO v_number;

  RETURN QUERY INSERT INTO executions AS e (
      id, workspace_id, project_id, workflow_id, version_id, workflow_version, number, name, source, is_internal, trigger,
      variables, request_id, queue_id, held, limited, reconciled_at, started_by_type, started_by_id, starters, labels, trace,
      notice)
    VALUES (p_execution, p_workspace, v_workflow.project_id, p_workflow, p_version, v_workflow.version, v_number,
      v_workflow.name, 'WORKFLOW', v_workflow.is_internal, p_trigger, v_variables, p_request, p_queue, v_held,
      v_workflow.max_concurrent IS NOT NULL, CASE WHEN v_held THEN 'infinity' ELSE now() END,
      p_started_by, CASE WHEN p_started_by = p_by_type THEN p_by_id END,
      CASE WHEN p_starters IS NOT NULL THEN p_starters
        WHEN p_by_id IS NOT NULL THEN ARRAY[person_of(p_by_type, p_by_id)]
        -- An error workflow runs on behalf of those who started the failed execution.
        WHEN p_started_by = 'workflow' THEN COALESCE((
          SELECT x.starters FROM failure_handlings f JOIN executions x ON x.id = f.execution_id
          WHERE f.handler_execution_id = p_execution AND f.workspace_id = p_workspace), '{}')
        ELSE '{}' END, p_labels, p_trace, p_notice)
    ON CONFLICT (id) DO NOTHING
    RETURNING e.name, e.project_id, e.number, e.variables, e.started_at::timestamptz,
      v_workflow.timeout_ms::float8, e.held, e.limited;
END $$;

-- A child with its parent and starter, in one function; the admission queue does not start it. p_before: the step's
-- child in the execution that the parent retries; its work is taken over if it exists (p_keep: begin_take_over,
-- p_progress). It runs on behalf of those who started the parent or the turn.
CREATE FUNCTION accept_child_execution(
  p_workspace uuid, p_workflow uuid, p_version uuid, p_execution uuid, p_trigger jsonb, p_variables text[],
  p_request text, p_started_by text, p_parent uuid, p_starter text, p_before uuid, p_progress jsonb, p_keep jsonb,
  p_labels jsonb, p_trace text
) RETURNS TABLE ("timeoutMs" float8, held boolean, limited boolean, progress jsonb, "takesOver" boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_lineage uuid;
BEGIN
  "takesOver" := false;
  SELECT s."timeoutMs", s.held, s.limited INTO "timeoutMs", held, limited FROM accept_execution(
    p_workspace, p_workflow, p_version, p_execution, p_trigger, p_variables, p_request, p_started_by, NULL, NULL,
    p_labels => p_labels, p_trace => p_trace, p_notice => 'none') s;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE executions e SET parent_execution_id = p_parent, starter_id = p_starter,
    root_id = (SELECT COALESCE(p.root_id, p.id) FROM executions p WHERE p.id = p_parent),
    starters = COALESCE((SELECT p.starters FROM executions p WHERE p.id = p_parent),
      CASE WHEN p_started_by = 'agent' THEN starters_of_turn(p_workspace, p_starter) END, '{}')
  WHERE e.id = p_execution AND e.workspace_id = p_workspace;
  IF p_before IS NOT NULL THEN
    SELECT COALESCE(b.lineage_id, b.id) INTO v_lineage FROM executions b
    WHERE b.id = p_before AND b.workspace_id = p_workspace AND b.stopped_at IS NOT NULL FOR SHARE;
    IF FOUND THEN
      progress := p_progress;
      UPDATE executions e SET retry_of_id = p_before, lineage_id = v_lineage, initial_progress = p_progress
      WHERE e.id = p_execution;
      "takesOver" := begin_take_over(p_workspace, p_before, p_execution, p_keep);
    END IF;
  END IF;
  RETURN NEXT;
END $$;

-- By number, as many as pause and limit allow and at most p_most (releaseHeld.ts). The workflow's lock keeps the count
-- right. Rows that another statement is writing are skipped.
CREATE FUNCTION release_held_executions(p_workspace uuid, p_workflow uuid, p_most integer)
RETURNS TABLE (
  id uuid, number integer, revision integer, limited boolean, notice text, followed_until timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_room integer;
  v_limited boolean;
BEGIN
  SELECT least(p_most, g.room), g.limited INTO v_room, v_limited FROM workflow_gate(p_workspace, p_workflow, false) g;
  IF v_room <= 0 THEN RETURN; END IF;

  RETURN QUERY WITH next AS MATERIALIZED (
      SELECT n.id FROM executions n
      WHERE n.workflow_id = p_workflow AND n.workspace_id = p_workspace AND n.held AND n.stopped_at IS NULL
      ORDER BY n.number LIMIT v_room FOR UPDATE SKIP LOCKED)
    UPDATE executions e SET
      held = false, limited = v_limited, released_at = now(), started_at = now(), updated_at = now(),
      reconciled_at = now(), revision = e.revision + 1
    FROM next WHERE e.id = next.id
    RETURNING e.id, e.number, e.revision, e.limited, e.notice, e.followed_until::timestamptz;
END $$;

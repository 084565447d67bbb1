-- Writes of turns.

-- Returns those on whose behalf a turn runs. p_run is its workflow's id, which is also the run's.
CREATE FUNCTION starters_of_turn(p_workspace uuid, p_run text) RETURNS uuid[] STABLE LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT r.starters FROM task_runs r WHERE r.id = p_run::uuid AND r.workspace_id = p_workspace);
END $$;

-- The conversation continues without them, and no turn continues the message.
CREATE FUNCTION deny_unanswered(p_task uuid, p_message text, p_reason text) RETURNS void LANGUAGE sql AS $$
  UPDATE task_runs r SET mcp_tools = NULL WHERE r.task_id = p_task AND r.message_id = p_message AND r.mcp_tools IS NOT NULL;
  UPDATE task_messages m SET parts = (
    SELECT jsonb_agg(CASE WHEN x.part->>'state' = 'approval-requested' THEN x.part || jsonb_build_object(
      'state', 'output-denied', 'approval', x.part->'approval'
        || jsonb_build_object('approved', false, 'reason', p_reason)) ELSE x.part END ORDER BY x.place)
    FROM jsonb_array_elements(m.parts) WITH ORDINALITY AS x(part, place))
  WHERE m.task_id = p_task AND m.id = p_message AND m.parts @> '[{"state": "approval-requested"}]';
$$;

-- Accepts a turn under the task's lock (acceptTurn.ts): the task if it is new, the user's message and the run. p_turn:
-- {kind, messageId, message?, replaces?, target?, answers?, queues, requestId, userId?, apiKeyId?, granted, own?,
-- parentRunId?, parentTaskId?, parentExecutionId?, step?}. `granted` callers see only their own tasks, and messages
-- count against their grant. `own`: a derived id, which nobody else may have created. A turn's user message has twice
-- its number, the assistant's comes after it. Returns accepted, attached (to a running turn), or why nothing was
-- written: absent (the task is another's, or no live grant), capped, busy, unknown (the named message), exists (the
-- message), unasked.
CREATE FUNCTION accept_turn(p_workspace uuid, p_agent uuid, p_task text, p_run uuid, p_turn jsonb)
RETURNS TABLE (outcome text, "runId" uuid, revision integer, status text, "retryAfterMs" bigint) LANGUAGE plpgsql AS $$
DECLARE
  v_granted boolean := (p_turn->>'granted')::boolean;
  v_user uuid := (p_turn->>'userId')::uuid;
  v_api_key uuid := (p_turn->>'apiKeyId')::uuid;
  v_parent uuid := (p_turn->>'parentTaskId')::uuid;
  v_task uuid;
  v_taken boolean;
  v_wait bigint;
  v_is_new boolean;
  v_kind text := p_turn->>'kind';
  v_open task_runs;
  v_last task_runs;
  v_same task_runs;
  v_from bigint;
  v_number integer;
  v_message_id text := p_turn->>'messageId';
BEGIN
  IF v_granted AND NOT EXISTS (SELECT FROM share_grants g WHERE g.workspace_id = p_workspace AND g.agent_id = p_agent
    AND (g.user_id = v_user OR g.api_key_id = v_api_key) AND (g.expires_at IS NULL OR g.expires_at > clock_timestamp())) THEN
    RETURN QUERY SELECT 'absent', NULL::uuid, 0, NULL::text, NULL::bigint;
    RETURN;
  END IF;
  INSERT INTO tasks (id, client_id, workspace_id, agent_id, created_by_user_id, created_by_api_key_id, parent_task_id)
  SELECT gen_random_uuid(), p_task, p_workspace, a.id, v_user, v_api_key, v_parent FROM agents a
  WHERE a.id = p_agent AND a.workspace_id = p_workspace AND v_kind = 'message'
  ON CONFLICT (agent_id, client_id) DO NOTHING;
  v_is_new := FOUND;
  SELECT t.id INTO v_task FROM tasks t WHERE t.agent_id = p_agent AND t.client_id = p_task AND t.workspace_id = p_workspace
    AND (NOT v_granted OR t.created_by_user_id = v_user OR t.created_by_api_key_id = v_api_key)
    AND ((p_turn->>'own')::boolean IS NOT TRUE OR t.created_by_user_id IS NULL AND t.created_by_api_key_id IS NULL
      AND t.parent_task_id IS NOT DISTINCT FROM v_parent)
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'absent', NULL::uuid, 0, NULL::text, NULL::bigint;
    RETURN;
  END IF;
  SELECT * INTO v_same FROM task_runs r WHERE r.id = p_run;
  IF FOUND THEN
    RETURN QUERY SELECT 'accepted', v_same.id, v_same.revision, v_same.status, NULL::bigint;
    RETURN;
  END IF;
  SELECT * INTO v_open FROM task_runs r WHERE r.task_id = v_task AND r.status = 'RUNNING';
  IF v_open.id IS NOT NULL AND NOT (p_turn->>'queues')::boolean THEN
    RETURN QUERY SELECT 'attached', v_open.id, v_open.revision, v_open.status, NULL::bigint;
    RETURN;
  END IF;
  SELECT * INTO v_last FROM task_runs r WHERE r.task_id = v_task ORDER BY r.number DESC LIMIT 1;
  v_number := COALESCE(v_last.number, 0) + 1;

  IF v_open.id IS NOT NULL AND (v_kind <> 'message' OR (p_turn->>'replaces')::boolean) THEN
    RETURN QUERY SELECT 'busy', v_open.id, v_open.revision, v_open.status, NULL::bigint;
    RETURN;
  END IF;
  IF v_kind = 'approval' THEN
    IF v_last.status IS DISTINCT FROM 'NEEDS_APPROVAL' OR v_last.message_id <> COALESCE(p_turn->>'target', v_last.message_id) THEN
      RETURN QUERY SELECT 'unasked', NULL::uuid, 0, NULL::text, NULL::bigint;
      RETURN;
    END IF;
    v_message_id := v_last.message_id;
  ELSIF v_kind = 'regenerate' THEN
    -- The named assistant message, the answer to the named user message, or the latest answer.
    SELECT m.position + CASE WHEN m.role = 'user' THEN 1 ELSE 0 END INTO v_from FROM task_messages m
    WHERE m.task_id = v_task AND (p_turn->>'target' IS NULL OR m.id = p_turn->>'target')
    ORDER BY m.position DESC LIMIT 1;
    IF v_from IS NULL OR NOT EXISTS (
      SELECT FROM task_messages m WHERE m.task_id = v_task AND m.position < v_from AND m.role = 'user') THEN
      RETURN QUERY SELECT 'unknown', NULL::uuid, 0, NULL::text, NULL::bigint;
      RETURN;
    END IF;
  ELSE
    SELECT m.position INTO v_from FROM task_messages m WHERE m.task_id = v_task AND m.id = p_turn->'message'->>'id';
    IF v_from IS NOT NULL AND NOT (p_turn->>'replaces')::boolean THEN
      RETURN QUERY SELECT 'exists', m.run_id, 0, NULL::text, NULL::bigint FROM task_messages m
        WHERE m.task_id = v_task AND m.id = p_turn->'message'->>'id';
      RETURN;
    END IF;
  END IF;

  -- Only new messages count.
  IF v_granted THEN
    SELECT g.taken, g."retryAfterMs" INTO v_taken, v_wait
    FROM take_grant_message(p_workspace, p_agent, v_user, v_api_key, p_run) g;
    IF v_taken IS NOT TRUE THEN
      IF v_is_new THEN DELETE FROM tasks t WHERE t.id = v_task; END IF;
      RETURN QUERY SELECT CASE WHEN v_taken IS NULL THEN 'absent' ELSE 'capped' END, NULL::uuid, 0, NULL::text, v_wait;
      RETURN;
    END IF;
  END IF;

  DELETE FROM task_messages m WHERE m.task_id = v_task AND m.position >= v_from;
  -- Its question is answered, or will not be answered any longer.
  UPDATE task_runs r SET status = 'COMPLETED', revision = r.revision + 1
  WHERE r.id = v_last.id AND r.status = 'NEEDS_APPROVAL';
  IF v_kind <> 'approval' AND v_last.status = 'NEEDS_APPROVAL' THEN
    PERFORM deny_unanswered(v_task, v_last.message_id, 'Nobody answered before the conversation went on');
  END IF;
  INSERT INTO task_runs (id, workspace_id, task_id, number, status, message_id, approvals, first_sequence, sequence, request_id,
    trace, started_at, steps, parent_run_id, parent_execution_id, step, starters)
  VALUES (p_run, p_workspace, v_task, v_number, CASE WHEN v_open.id IS NULL THEN 'RUNNING' ELSE 'QUEUED' END, v_message_id,
    p_turn->'answers', CASE WHEN v_kind = 'approval' THEN v_last.sequence ELSE 0 END,
    CASE WHEN v_kind = 'approval' THEN v_last.sequence ELSE 0 END, p_turn->>'requestId',
    p_turn->>'trace', CASE WHEN v_open.id IS NULL THEN now() END, '[]',
    -- A turn that continues a message is awaited by those who await the turn before it.
    CASE WHEN v_kind = 'approval' THEN v_last.parent_run_id ELSE (p_turn->>'parentRunId')::uuid END,
    CASE WHEN v_kind = 'approval' THEN v_last.parent_execution_id ELSE (p_turn->>'parentExecutionId')::uuid END,
    CASE WHEN v_kind = 'approval' THEN v_last.step ELSE COALESCE(p_turn->'step',
      (SELECT r.step FROM task_runs r WHERE r.id = (p_turn->>'parentRunId')::uuid AND r.workspace_id = p_workspace)) END,
    ARRAY(
      SELECT DISTINCT person FROM unnest(
        CASE WHEN v_user IS NOT NULL THEN ARRAY[person_of('user', v_user)]
          WHEN v_api_key IS NOT NULL THEN ARRAY[person_of('apiKey', v_api_key)] END
        || CASE WHEN v_kind <> 'message' THEN v_last.starters END
        || (SELECT r.starters FROM task_runs r WHERE r.id = (p_turn->>'parentRunId')::uuid AND r.workspace_id = p_workspace)
        || (SELECT e.starters FROM executions e
          WHERE e.id = (p_turn->>'parentExecutionId')::uuid AND e.workspace_id = p_workspace)) AS person
      WHERE person IS NOT NULL));
  IF v_kind = 'message' THEN
    INSERT INTO task_messages (task_id, id, position, role, parts, metadata, run_id)
    VALUES (v_task, p_turn->'message'->>'id', v_number::bigint * 2, 'user', p_turn->'message'->'parts',
      p_turn->'message'->'metadata', p_run);
  END IF;
  UPDATE tasks t SET updated_at = now(), last_activity_at = now() WHERE t.id = v_task;
  RETURN QUERY SELECT 'accepted', r.id, r.revision, r.status, NULL::bigint FROM task_runs r WHERE r.id = p_run;
END $$;

-- Claims the next attempt, which fences all older ones, and reads the inputs in one statement: a person waits. No row
-- if the turn has ended. `messages`: the turn's own last. `chunks`: without this step. `calls`: of this step, and of
-- step 0, which are the approved ones.
CREATE FUNCTION open_attempt(p_workspace uuid, p_run uuid, p_step integer)
RETURNS TABLE ("stopRequested" boolean, attempt integer, sequence integer, steps jsonb, "calledTokens" float8, "taskId" uuid, "messageId" text,
  trace text, "contextTokens" integer, approvals jsonb, agent jsonb, messages jsonb, chunks jsonb, calls jsonb, connection jsonb, credentials bytea)
LANGUAGE plpgsql AS $$
DECLARE
  v_run task_runs;
  v_limit bigint;
  v_connection uuid;
BEGIN
  UPDATE task_runs r SET attempt = r.attempt + 1, begun_at = COALESCE(r.begun_at, now()), retry_at = NULL
  WHERE r.id = p_run AND r.workspace_id = p_workspace AND r.status = 'RUNNING'
  RETURNING r.* INTO v_run;
  IF NOT FOUND THEN RETURN; END IF;
  "stopRequested" := v_run.stop_requested_at IS NOT NULL;
  attempt := v_run.attempt;
  sequence := v_run.sequence;
  steps := v_run.steps;
  SELECT COALESCE(sum(tokens_in(o.usage, 'totalTokens')), 0)::float8 INTO "calledTokens"
  FROM task_runs o WHERE o.parent_run_id = p_run;
  "taskId" := v_run.task_id;
  "messageId" := v_run.message_id;
  trace := v_run.trace;
  "contextTokens" := v_run.context_tokens;
  approvals := v_run.approvals;
  SELECT jsonb_build_object('id', a.id, 'name', a.name, 'projectId', a.project_id, 'definition', a.definition,
      'selfInstructions', a.self_instructions),
    -- One more: the question that the oldest of them answers.
    (a.definition->>'messageLookbackLimit')::bigint + 1, (a.definition->>'aiConnectionId')::uuid
  INTO agent, v_limit, v_connection
  FROM tasks t JOIN agents a ON a.id = t.agent_id WHERE t.id = v_run.task_id;
  SELECT COALESCE(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', m.id, 'role', m.role, 'metadata', m.metadata))
    || jsonb_build_object('parts', m.parts) ORDER BY m.position), '[]')
  INTO messages FROM (
    (SELECT n.* FROM task_messages n
      WHERE n.task_id = v_run.task_id AND n.position <= v_run.number::bigint * 2 + 1 AND n.id <> v_run.message_id
      ORDER BY n.position DESC LIMIT v_limit)
    UNION ALL
    SELECT o.* FROM task_messages o WHERE o.task_id = v_run.task_id AND o.id = v_run.message_id
  ) m;
  SELECT COALESCE(jsonb_agg(c.payload ORDER BY c.sequence), '[]') INTO chunks
  FROM run_chunks c WHERE c.run_id = p_run AND c.step <> p_step;
  SELECT COALESCE(jsonb_agg(jsonb_build_object('toolCallId', c.tool_call_id, 'kind', c.kind, 'name', c.name,
    'status', c.status, 'step', c.step) ORDER BY c.step, c.position), '[]') INTO calls
  FROM run_tool_calls c WHERE c.run_id = p_run AND c.step IN (0, p_step);
  SELECT jsonb_build_object('workflowAppId', c.workflow_app_id, 'type', c.connection_type, 'keyId', c.key_id), c.credentials
  INTO connection, credentials
  FROM connections c WHERE c.id = v_connection AND c.workspace_id = p_workspace;
  RETURN NEXT;
END $$;

-- Stores a turn's message (NULL: none) and last chunks, and starts the next turn of the task (writeTurnEnd.ts). p_end:
-- {status, finishReason?, code?, error?, usage, message?, closers}. No row if it has ended, or if a stop was requested
-- and it would wait for an approval.
CREATE FUNCTION end_turn(p_workspace uuid, p_run uuid, p_end jsonb)
RETURNS TABLE (revision integer, status text, "nextRunId" uuid, "wantsName" boolean) LANGUAGE plpgsql AS $$
DECLARE
  v_task uuid;
  v_run task_runs;
  v_next uuid;
  v_wants_name boolean;
BEGIN
  SELECT r.task_id INTO v_task FROM task_runs r WHERE r.id = p_run AND r.workspace_id = p_workspace;
  PERFORM FROM tasks t WHERE t.id = v_task FOR NO KEY UPDATE;
  UPDATE task_runs r SET status = p_end->>'status', finish_reason = p_end->>'finishReason', code = p_end->>'code',
    -- The error recorded by the latest model call has more details.
    error = CASE WHEN r.error->>'code' = p_end->>'code' THEN r.error ELSE p_end->'error' END, retry_at = NULL,
    usage = p_end->'usage', finished_at = now(), revision = r.revision + 1,
    sequence = r.sequence + CASE WHEN jsonb_array_length(p_end->'closers') > 0 THEN 1 ELSE 0 END
  WHERE r.id = p_run AND r.status IN ('RUNNING', 'QUEUED')
    AND NOT (p_end->>'status' = 'NEEDS_APPROVAL' AND r.stop_requested_at IS NOT NULL)
  RETURNING * INTO v_run;
  IF NOT FOUND THEN RETURN; END IF;
  IF jsonb_array_length(p_end->'closers') > 0 THEN
    INSERT INTO run_chunks (run_id, sequence, step, attempt, payload)
    VALUES (p_run, v_run.sequence, 2147483647, v_run.attempt, p_end->'closers');
  END IF;
  IF p_end->'message' IS NOT NULL AND jsonb_typeof(p_end->'message') = 'object' THEN
    INSERT INTO task_messages AS m (task_id, id, position, role, parts, metadata, run_id)
    VALUES (v_task, v_run.message_id, v_run.number::bigint * 2 + 1, 'assistant', p_end->'message'->'parts',
      p_end->'message'->'metadata', p_run)
    ON CONFLICT (task_id, id) DO UPDATE SET parts = excluded.parts, metadata = excluded.metadata, run_id = excluded.run_id;
  END IF;
  UPDATE run_tool_calls c SET status = 'STOPPED', finished_at = now() WHERE c.run_id = p_run AND c.status = 'PENDING';
  UPDATE task_runs r SET status = 'RUNNING', started_at = now(), reconciled_at = now(), revision = r.revision + 1
  WHERE r.id = (SELECT q.id FROM task_runs q WHERE q.task_id = v_task AND q.status = 'QUEUED' ORDER BY q.number LIMIT 1)
  RETURNING r.id INTO v_next;
  -- The conversation continued without an answer.
  IF v_next IS NOT NULL AND v_run.status = 'NEEDS_APPROVAL' THEN
    UPDATE task_runs r SET status = 'COMPLETED' WHERE r.id = p_run;
    PERFORM deny_unanswered(v_task, v_run.message_id, 'Nobody answered before the conversation went on');
  END IF;
  UPDATE tasks t SET updated_at = now(), last_activity_at = now() FROM agents a WHERE t.id = v_task AND a.id = t.agent_id
  RETURNING v_run.status = 'COMPLETED' AND t.name IS NULL AND t.naming_usage IS NULL
    AND a.definition->>'taskNamingInstructions' IS NOT NULL
    -- The caller waits for the workflow's end.
    AND v_run.parent_run_id IS NULL AND v_run.parent_execution_id IS NULL INTO v_wants_name;
  RETURN QUERY SELECT v_run.revision, v_run.status, v_next, v_wants_name;
END $$;

-- A turn that has not begun ends at once, as does one that waits on behalf of a step. No row: nothing to stop.
CREATE FUNCTION stop_turn(p_workspace uuid, p_run uuid)
RETURNS TABLE (revision integer, status text, "wasQueued" boolean) LANGUAGE plpgsql AS $$
DECLARE
  v_run task_runs;
BEGIN
  PERFORM FROM tasks t WHERE t.workspace_id = p_workspace
    AND t.id = (SELECT o.task_id FROM task_runs o WHERE o.id = p_run) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT r.* INTO v_run FROM task_runs r WHERE r.id = p_run;
  IF v_run.status NOT IN ('RUNNING', 'QUEUED') AND NOT (v_run.status = 'NEEDS_APPROVAL' AND v_run.step IS NOT NULL) THEN
    RETURN;
  END IF;
  IF v_run.status = 'NEEDS_APPROVAL' THEN
    PERFORM deny_unanswered(v_run.task_id, v_run.message_id, 'The turn was stopped before anybody answered');
  END IF;
  RETURN QUERY UPDATE task_runs u SET stop_requested_at = COALESCE(u.stop_requested_at, now()), revision = u.revision + 1,
      status = CASE WHEN u.status = 'RUNNING' THEN u.status ELSE 'STOPPED' END,
      finished_at = CASE WHEN u.status = 'QUEUED' THEN now() ELSE u.finished_at END
    WHERE u.id = p_run RETURNING u.revision, u.status, v_run.status = 'QUEUED';
END $$;

-- While a turn asks on behalf of a step. Then the row is due (engine/executions/stepWakes.ts).
CREATE FUNCTION tend_approval_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status = 'NEEDS_APPROVAL' THEN
    INSERT INTO step_waits (execution_id, node_id, iteration, kind, awaited, workspace_id, host, signalled_at)
    SELECT e.id, NEW.step->>'nodeId', NEW.step->>'iteration', 'approval', NEW.id, e.workspace_id, NEW.step->>'host', 'infinity'
    FROM executions e WHERE e.id = (NEW.step->>'executionId')::uuid AND e.workspace_id = NEW.workspace_id
    ON CONFLICT DO NOTHING;
  ELSE
    UPDATE step_waits w SET signalled_at = '-infinity' WHERE w.awaited = OLD.id AND w.kind = 'approval';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER task_runs_tend_approval_waits AFTER UPDATE OF status ON task_runs FOR EACH ROW
WHEN (NEW.step IS NOT NULL AND (NEW.status = 'NEEDS_APPROVAL') <> (OLD.status = 'NEEDS_APPROVAL'))
EXECUTE FUNCTION tend_approval_waits();
CREATE TRIGGER deleted_task_runs_tend_approval_waits AFTER DELETE ON task_runs FOR EACH ROW
WHEN (OLD.step IS NOT NULL AND OLD.status = 'NEEDS_APPROVAL') EXECUTE FUNCTION tend_approval_waits();

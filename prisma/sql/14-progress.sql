-- Progress of executions.

-- As a list for execution_steps.attempts. Only the last attempt keeps its error whole, in the row.
CREATE FUNCTION ended_attempt(p_attempt integer, p_started timestamptz, p_stopped timestamptz, p_error jsonb)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(jsonb_build_object('attempt', p_attempt,
    'startedAt', to_char(p_started AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'stoppedAt', to_char(coalesce(p_stopped, now()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'error', jsonb_build_object('code', p_error ->> 'code', 'message', left(p_error ->> 'message', 1000))))
$$;

-- Returns an ended step as metrics count it: app, action, status, seconds.
CREATE FUNCTION ended_step(
  p_app text, p_action text, p_type text, p_status text, p_started timestamptz, p_stopped timestamptz
) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(coalesce(p_app, 'control'), coalesce(p_action, p_type), p_status,
    greatest(coalesce(extract(epoch FROM p_stopped - p_started), 0), 0))
$$;

-- Writes progress (recordProgress.ts): steps, the status computed from open steps, revision + 1. No row once the
-- execution has ended. A final step, or one whose attempt has ended, is not changed. `loop_bytes`: for each loop in
-- p_iterations the bytes of all ended iterations, including those of an earlier attempt of this write.
CREATE FUNCTION record_progress(
  p_workspace uuid, p_execution uuid, p_steps jsonb, p_questions jsonb, p_scope text, p_answered text[],
  p_iterations jsonb, p_cancelled text[], p_response jsonb, p_end jsonb
) RETURNS TABLE (revision integer, status text, responded boolean, noted jsonb, loop_bytes jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_status text := p_end ->> 'status';
  v_before executions;
  v_cancelled jsonb;
  v_ended jsonb;
  v_had_responded boolean;
  -- Metrics leave tests of drafts out.
  v_counts boolean;
BEGIN
  SELECT e.status, e.started_at, e.released_at, e.workflow_id, e.workflow_id IS NULL OR e.version_id IS NOT NULL, e.notice, e.followed_until, e.response IS NOT NULL
  INTO v_before.status, v_before.started_at, v_before.released_at, v_before.workflow_id, v_counts, v_before.notice,
    v_before.followed_until, v_had_responded FROM executions e
  WHERE e.id = p_execution AND e.workspace_id = p_workspace
    AND e.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;

  -- Closes the open rows below these scopes.
  IF p_cancelled IS NOT NULL THEN
    WITH written AS (
      UPDATE execution_steps s SET status = 'CANCELLED', stopped_at = now(), wake_at = NULL
      WHERE s.execution_id = p_execution AND s.status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT')
        AND EXISTS (SELECT 1 FROM unnest(p_cancelled) c WHERE starts_with(s.iteration || '/', c))
      RETURNING s.app_id, s.action_id, s.type, s.status, s.started_at, s.stopped_at
    )
    SELECT jsonb_agg(ended_step(w.app_id, w.action_id, w.type, w.status, w.started_at, w.stopped_at))
    INTO v_cancelled FROM written w;
    UPDATE pending_inputs p SET status = 'CLOSED'
    WHERE p.execution_id = p_execution AND p.status IN ('OPEN', 'SUBMITTED')
      AND EXISTS (SELECT 1 FROM unnest(p_cancelled) c WHERE starts_with(p.iteration || '/', c));
  END IF;

  -- Ended rows are not written again, so every ended row that is returned has ended with this write.
  WITH written AS (
    INSERT INTO execution_steps AS s (
      id, execution_id, workspace_id, node_id, iteration, label, type, app_id, action_id,
      status, attempt, handle, input, output, error, started_at, stopped_at, wake_at, attempts, attempt_started_at,
      iterations_total, iterations_completed, iterations_failed, iterations_bytes, task_queue, task_kind,
      task_host)
    SELECT x.id, p_execution, p_workspace, x."nodeId", x.iteration, x.label, x.type, x."appId", x."actionId",
      x.status, x.attempt, x.handle, x.input, x.output, x.error, x."startedAt",
      CASE WHEN x.status <> 'RETRYING' THEN x."stoppedAt" END, x."wakeAt",
      CASE WHEN x.status = 'RETRYING' THEN ended_attempt(x.attempt, x."startedAt", x."stoppedAt", x.error) END,
      CASE WHEN x.attempt > 1 THEN x."startedAt" END, x."iterationsTotal", CASE WHEN x.type IN ('forEach', 'repeat') THEN 0 END,
      CASE WHEN x.type IN ('forEach', 'repeat') THEN 0 END, CASE WHEN x.type IN ('forEach', 'repeat') THEN 0 END,
      x."taskQueue", x."taskKind", x."taskHost"
    FROM jsonb_to_recordset(p_steps) AS x(
      id uuid, "nodeId" text, iteration text, label text, type text, "appId" text, "actionId" text,
      status text, attempt int, handle text, input jsonb, output jsonb, error jsonb,
      "startedAt" timestamptz, "stoppedAt" timestamptz, "wakeAt" timestamptz, "iterationsTotal" int,
      "taskQueue" text, "taskKind" text, "taskHost" text)
    ON CONFLICT (execution_id, node_id, iteration) DO UPDATE SET
      status = excluded.status, attempt = excluded.attempt, handle = excluded.handle,
      input = COALESCE(excluded.input, s.input), output = excluded.output, error = excluded.error,
      started_at = COALESCE(s.started_at, excluded.started_at), stopped_at = excluded.stopped_at,
      wake_at = excluded.wake_at, iterations_total = COALESCE(excluded.iterations_total, s.iterations_total),
      attempts = CASE WHEN excluded.attempts IS NULL THEN s.attempts
        WHEN jsonb_array_length(s.attempts) >= 20 THEN (s.attempts - 0) || excluded.attempts
        ELSE COALESCE(s.attempts, '[]') || excluded.attempts END,
      attempt_started_at = COALESCE(excluded.attempt_started_at, s.attempt_started_at),
      task_queue = excluded.task_queue, task_kind = excluded.task_kind, task_host = excluded.task_host
    WHERE s.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED') AND s.attempt <= excluded.attempt
      AND NOT (s.status = 'RETRYING' AND s.attempt = excluded.attempt) AND excluded.status <> 'QUEUED'
    RETURNING s.app_id, s.action_id, s.type, s.status, s.started_at, s.stopped_at
  )
  SELECT jsonb_agg(ended_step(w.app_id, w.action_id, w.type, w.status, w.started_at, w.stopped_at))
  INTO v_ended FROM written w WHERE w.status IN ('COMPLETED', 'FAILED', 'CANCELLED');

  IF p_iterations IS NOT NULL THEN
    WITH ended AS (
      INSERT INTO execution_iterations AS i (execution_id, loop_key, index, workspace_id, status, output, error, bytes)
      SELECT p_execution, x."loopKey", x.index, p_workspace, x.status, x.output, x.error, x.bytes
      FROM jsonb_to_recordset(p_iterations) AS x(
        "loopKey" text, index int, status text, output jsonb, error jsonb, bytes int)
      ON CONFLICT (execution_id, loop_key, index) DO NOTHING
      RETURNING i.loop_key, i.status, i.bytes
    ), counted AS (
      SELECT k.loop_key, count(*) FILTER (WHERE ended.status = 'COMPLETED') AS completed,
        count(*) FILTER (WHERE ended.status = 'FAILED') AS failed, COALESCE(sum(ended.bytes), 0) AS bytes
      FROM (SELECT DISTINCT x."loopKey" AS loop_key FROM jsonb_to_recordset(p_iterations) AS x("loopKey" text)) k
      LEFT JOIN ended ON ended.loop_key = k.loop_key
      GROUP BY k.loop_key
    ), written AS (
      UPDATE execution_steps s SET
        iterations_completed = s.iterations_completed + c.completed, iterations_failed = s.iterations_failed + c.failed,
        iterations_bytes = s.iterations_bytes + c.bytes
      FROM counted c
      WHERE s.execution_id = p_execution AND s.node_id = regexp_replace(c.loop_key, '^.*/', '')
        AND s.iteration = regexp_replace(c.loop_key, '/?[^/]*$', '')
      RETURNING c.loop_key AS key, s.iterations_bytes AS bytes
    )
    SELECT jsonb_object_agg(w.key, w.bytes) INTO loop_bytes FROM written w;
  END IF;

  IF p_questions IS NOT NULL THEN
    INSERT INTO pending_inputs (
      id, execution_id, workspace_id, node_id, iteration, label, fields, title, instructions, expires_at, required,
      submitters, exclude_starter, submissions, host)
    SELECT x.id, p_execution, p_workspace, x."nodeId", x.iteration, x.label, x.fields, x.title, x.instructions,
      x."expiresAt", x.required, x.submitters, x."excludeStarter", '[]', x.host
    FROM jsonb_to_recordset(p_questions) AS x(
      id uuid, "nodeId" text, iteration text, label text, fields jsonb, title text, instructions text,
      "expiresAt" timestamptz, required int, submitters jsonb, "excludeStarter" boolean, host text)
    ON CONFLICT (execution_id, node_id, iteration) DO NOTHING;
  END IF;
  IF p_answered IS NOT NULL THEN
    UPDATE pending_inputs p SET status = 'APPLIED'
    WHERE p.execution_id = p_execution AND p.workspace_id = p_workspace AND p.status = 'SUBMITTED'
      AND p.iteration = p_scope AND p.node_id = ANY (p_answered);
  END IF;

  -- An open loop has no status of its own: its iterations determine it.
  IF v_status IS NULL THEN
    SELECT CASE
        WHEN bool_or(s.status = 'NEEDS_INPUT') THEN 'NEEDS_INPUT'
        WHEN bool_or(s.status IN ('QUEUED', 'RUNNING')) THEN 'RUNNING'
        WHEN bool_or(s.status IN ('RETRYING', 'WAITING')) THEN 'WAITING'
        ELSE 'RUNNING' END
    INTO v_status FROM execution_steps s
    WHERE s.execution_id = p_execution AND s.status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT')
      AND NOT (s.type IN ('forEach', 'repeat') AND s.status = 'RUNNING');
  END IF;

  UPDATE executions e SET
      revision = e.revision + 1, updated_at = now(), status = v_status,
      response = COALESCE(e.response, p_response), notice = notice_after(e.notice, v_status),
      stopped_at = CASE WHEN p_end IS NULL THEN NULL ELSE now() END,
      status_message = p_end ->> 'statusMessage',
      error_code = p_end ->> 'errorCode', failed_node_id = p_end ->> 'failedNodeId',
      output = p_end -> 'output'
    WHERE e.id = p_execution
    RETURNING e.revision, e.status, e.response IS NOT NULL,
      CASE WHEN v_before.status = 'PENDING' OR p_end IS NOT NULL OR v_ended IS NOT NULL OR v_cancelled IS NOT NULL
        THEN jsonb_strip_nulls(jsonb_build_object(
          'workflowId', v_before.workflow_id,
          'begunAfter', CASE WHEN v_before.status = 'PENDING' AND v_counts
            THEN extract(epoch FROM now() - coalesce(v_before.released_at, v_before.started_at)) END,
          'end', CASE WHEN v_counts THEN p_end -> 'status' END,
          'lasted', CASE WHEN p_end IS NOT NULL THEN extract(epoch FROM now() - v_before.started_at) END,
          'steps', coalesce(v_cancelled, '[]') || coalesce(v_ended, '[]'))) END
    INTO revision, status, responded, noted;
  PERFORM notify_change(p_workspace, p_execution, revision, status, responded,
    v_before.notice, v_before.followed_until, v_had_responded);
  RETURN NEXT;
END $$;

-- The last submission and its author; `submissions` has all if several were required. Persons behind keys stay hidden.
CREATE FUNCTION input_answer(p_submissions jsonb, p_required integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT (p_submissions -> -1 -> 'values') || jsonb_build_object('submittedAt', p_submissions -> -1 -> 'at')
    || CASE WHEN p_submissions -> -1 ? 'by' THEN jsonb_build_object('submittedBy', p_submissions -> -1 -> 'by')
      ELSE '{}' END
    || CASE WHEN p_required = 1 THEN '{}' ELSE jsonb_build_object('submissions', (
      SELECT jsonb_agg(s.value - 'person' ORDER BY s.ordinality)
      FROM jsonb_array_elements(p_submissions) WITH ORDINALITY s)) END
$$;

-- Adds a submission once, while its question is open (pendingInput.ts). The last required one completes the step and
-- writes the next steps (p_queued) as QUEUED, so it is stored before the execution gets its signal. No row if the
-- question accepts no further one, or none from this person. p_by: {by: {type, id, name}, person}, or {}.
CREATE FUNCTION submit_input(
  p_workspace uuid, p_execution uuid, p_question uuid, p_by jsonb, p_values jsonb, p_queued jsonb
) RETURNS TABLE (answered boolean, revision integer, status text, responded boolean, noted jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_submission jsonb := p_by || jsonb_build_object('values', p_values,
    'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  v_question pending_inputs%ROWTYPE;
BEGIN
  PERFORM 1 FROM executions e
  WHERE e.id = p_execution AND e.workspace_id = p_workspace
    AND e.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;

  UPDATE pending_inputs p SET
    submissions = p.submissions || v_submission,
    status = CASE WHEN jsonb_array_length(p.submissions) + 1 >= p.required THEN 'SUBMITTED' ELSE 'OPEN' END,
    submitted_at = now(), signalled_at = now()
  WHERE p.id = p_question AND p.execution_id = p_execution AND p.status = 'OPEN'
    AND (p.expires_at IS NULL OR p.expires_at > now())
    AND (p.required = 1 OR (p_by ? 'person'
      AND NOT p.submissions @> jsonb_build_array(jsonb_build_object('person', p_by -> 'person'))))
  RETURNING * INTO v_question;
  IF NOT FOUND THEN RETURN; END IF;
  IF v_question.status = 'OPEN' THEN
    RETURN QUERY SELECT false, NULL::integer, NULL::text, NULL::boolean, NULL::jsonb;
    RETURN;
  END IF;

  RETURN QUERY
    SELECT true, c.revision, c.status, c.responded, c.noted
    FROM execution_steps s, record_progress(p_workspace, p_execution,
      jsonb_build_array(jsonb_build_object(
        'id', s.id, 'nodeId', s.node_id, 'iteration', s.iteration, 'label', s.label, 'type', s.type,
        'status', 'COMPLETED', 'attempt', s.attempt, 'stoppedAt', now(),
        'output', input_answer(v_question.submissions, v_question.required))) || p_queued,
      NULL, s.iteration, NULL, NULL, NULL, NULL, NULL) c
    WHERE s.id = p_question;
END $$;

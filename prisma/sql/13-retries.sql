-- Retries.

-- Loops with iterations still to be taken over, newest first: inner loops before the rest of their outer loop.
CREATE TABLE loops_to_take_over (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  loop_key text NOT NULL,
  place bigserial NOT NULL,
  -- The execution that has its iterations.
  source_id uuid NOT NULL,
  -- Everything in it is reused.
  is_whole boolean NOT NULL DEFAULT false,
  had_completed boolean NOT NULL,
  next_index integer NOT NULL DEFAULT 0,
  -- All its iterations are handled; only the final check is left.
  is_over boolean NOT NULL DEFAULT false,
  PRIMARY KEY (execution_id, loop_key)
);
CREATE INDEX loops_to_take_over_place_idx ON loops_to_take_over (execution_id, place);

-- Whether a retry repeats something in scopes from p_low to before p_high, in byte order: an iteration K is (K, K ||
-- '0'), a loop L (L || ':', L || ';'). True if a node of p_again ran there, or a loop there has iterations and a new
-- shape (p_reshaped), or completed with failed items (p_failed).
CREATE FUNCTION reopens(p_source uuid, p_low text, p_high text, p_again text[], p_reshaped text[], p_failed boolean)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM execution_steps s
    WHERE s.execution_id = p_source AND s.iteration ~>=~ p_low AND s.iteration ~<~ p_high AND s.node_id = ANY (p_again)
  ) OR (p_failed OR cardinality(p_reshaped) > 0) AND EXISTS (
    SELECT FROM execution_steps l
    JOIN execution_iterations i ON i.execution_id = p_source AND i.loop_key = l.iteration || '/' || l.node_id
    WHERE l.execution_id = p_source AND l.iteration ~>=~ p_low AND l.iteration ~<~ p_high
      AND l.type IN ('forEach', 'repeat')
      AND (l.node_id = ANY (p_reshaped) OR (p_failed AND l.status = 'COMPLETED' AND i.status = 'FAILED')))
$$;

CREATE FUNCTION reopens_loop(
  p_source uuid, p_loop text, p_completed boolean, p_again text[], p_reshaped text[], p_failed boolean
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT reopens(p_source, p_loop || ':', p_loop || ';', p_again, p_reshaped, p_failed) OR EXISTS (
    SELECT FROM execution_iterations i
    WHERE i.execution_id = p_source AND i.loop_key = p_loop
      AND (regexp_replace(p_loop, '^.*/', '') = ANY (p_reshaped) OR (p_failed AND p_completed AND i.status = 'FAILED')))
$$;

-- Begins to take over the retried execution's work (docs/retry.md, keptWork.ts). True: take_over_batch does the rest.
--   p_keep.kept    top-level nodes: their steps are copied; a loop's iterations stay in place
--   p_keep.opened  top-level loops that resume: RUNNING with the same items; successful iterations are copied, of the
--                  others the successful steps; inner loops likewise
-- p_keep.rules: {id, keep, handled, stop, loop, reshaped, otherOutput, after, input} of each node, `after` being the
-- nodes behind it in its scope. A step is reused if it succeeded (COMPLETED, or FAILED and handled), its node may be
-- kept, and no step before it in its scope runs again. otherOutput: computed again from the iterations.
CREATE FUNCTION begin_take_over(p_workspace uuid, p_before uuid, p_execution uuid, p_keep jsonb) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO execution_steps (
    id, execution_id, workspace_id, node_id, iteration, label, type, app_id, action_id, status, attempt, handle, input,
    output, error, queued_at, started_at, stopped_at, attempts, attempt_started_at, copied_from_id,
    reused_from_id, iterations_total,
    iterations_completed, iterations_failed, iterations_bytes, iterations_in)
  SELECT uuid_v7_of_now(), p_execution, p_workspace, s.node_id, '', s.label, s.type, s.app_id, s.action_id, s.status,
    s.attempt, s.handle, s.input, s.output, s.error, s.queued_at, s.started_at, s.stopped_at, s.attempts,
    s.attempt_started_at, s.id, COALESCE(s.reused_from_id, s.execution_id), s.iterations_total, s.iterations_completed, s.iterations_failed,
    s.iterations_bytes, CASE WHEN s.type IN ('forEach', 'repeat') THEN COALESCE(s.iterations_in, p_before) END
  FROM execution_steps s
  WHERE s.execution_id = p_before AND s.iteration = '' AND p_keep -> 'kept' ? s.node_id
  ORDER BY s.position;

  INSERT INTO loops_to_take_over (execution_id, workspace_id, source_id, loop_key, had_completed)
  SELECT p_execution, p_workspace, COALESCE(s.iterations_in, p_before), s.node_id, s.status = 'COMPLETED'
  FROM execution_steps s
  WHERE s.execution_id = p_before AND s.iteration = '' AND p_keep -> 'opened' ? s.node_id
  ORDER BY s.position DESC;
  IF NOT FOUND THEN RETURN false; END IF;

  INSERT INTO execution_steps (
    id, execution_id, workspace_id, node_id, iteration, label, type, status, input, queued_at, started_at,
    iterations_total, iterations_completed, iterations_failed, iterations_bytes, iterations_kept)
  SELECT uuid_v7_of_now(), p_execution, p_workspace, s.node_id, '', s.label, s.type, 'RUNNING',
    s.input || COALESCE(r.input, '{}'), s.queued_at, s.started_at, s.iterations_total, 0, 0, 0, 0
  FROM loops_to_take_over o
  JOIN execution_steps s ON s.execution_id = o.source_id AND s.iteration = '' AND s.node_id = o.loop_key
  LEFT JOIN jsonb_to_recordset(p_keep -> 'rules') AS r(id text, input jsonb) ON r.id = s.node_id
  WHERE o.execution_id = p_execution
  ORDER BY s.position;
  UPDATE executions SET take_over = p_keep - ARRAY['kept', 'opened', 'most'] WHERE id = p_execution;
  RETURN take_over_batch(p_workspace, p_execution, (p_keep ->> 'most')::integer);
END $$;

-- Takes over up to p_most more iterations; true if more are left. Can be repeated after a crash. The statements per
-- loop and batch are fixed, so time and memory do not grow with the iterations. Also works for an ended execution.
CREATE FUNCTION take_over_batch(p_workspace uuid, p_execution uuid, p_most integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_execution record;
  v_again text[];
  v_reshaped text[];
  v_failed boolean;
  v_reopens boolean;
  v_left integer := p_most;
  v_loop loops_to_take_over%ROWTYPE;
  v_node text;
  v_scope text;
  v_end integer;
  v_to integer;
  -- Indices of the iterations that are reused as they are; for a repeat, those before the first that is not.
  v_whole integer[];
  v_completed integer;
  v_bytes bigint;
  v_loops integer;
BEGIN
  SELECT e.take_over, e.stopped_at INTO v_execution FROM executions e
  WHERE e.id = p_execution AND e.workspace_id = p_workspace AND e.take_over IS NOT NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT COALESCE(array_agg(r.id) FILTER (WHERE NOT r.keep OR r."otherOutput"), '{}'), COALESCE(array_agg(r.id) FILTER (WHERE r.reshaped), '{}')
  INTO v_again, v_reshaped
  FROM jsonb_to_recordset(v_execution.take_over -> 'rules') AS r(id text, keep boolean, reshaped boolean, "otherOutput" boolean);
  v_failed := (v_execution.take_over ->> 'failedItems')::boolean;
  v_reopens := v_failed OR cardinality(v_again) > 0 OR cardinality(v_reshaped) > 0;

  WHILE v_left > 0 LOOP
    SELECT * INTO v_loop FROM loops_to_take_over o WHERE o.execution_id = p_execution ORDER BY o.place DESC LIMIT 1;
    IF NOT FOUND THEN
      UPDATE executions SET take_over = NULL WHERE id = p_execution;
      RETURN false;
    END IF;
    v_node := regexp_replace(v_loop.loop_key, '^.*/', '');
    v_scope := regexp_replace(v_loop.loop_key, '/?[^/]*$', '');

    -- It is handled, with all its inner loops, which came before it.
    IF v_loop.is_over THEN
      DELETE FROM loops_to_take_over o WHERE o.execution_id = p_execution AND o.loop_key = v_loop.loop_key;
      -- A loop with nothing left begins again as a whole, with its current items; then perhaps the one around it.
      DELETE FROM execution_steps s
      WHERE s.execution_id = p_execution AND s.iteration = v_scope AND s.node_id = v_node AND s.iterations_kept = 0
        AND NOT EXISTS (
          SELECT FROM execution_steps i WHERE i.execution_id = p_execution
            AND i.iteration ~>=~ (v_loop.loop_key || ':') AND i.iteration ~<~ (v_loop.loop_key || ';'));
      v_left := v_left - 1;
      CONTINUE;
    END IF;

    -- An iteration that began and has not ended may come after all ended ones.
    SELECT greatest(COALESCE(s.iterations_total, 0), 2 + COALESCE((
      SELECT max(i.index) FROM execution_iterations i
      WHERE i.execution_id = v_loop.source_id AND i.loop_key = v_loop.loop_key), -1)) INTO v_end
    FROM execution_steps s
    WHERE s.execution_id = v_loop.source_id AND s.iteration = v_scope AND s.node_id = v_node;
    v_to := least(v_end, v_loop.next_index + v_left);
    v_left := v_left - greatest(v_to - v_loop.next_index, 1);

    v_whole := ARRAY(
      SELECT i.index FROM execution_iterations i
      WHERE i.execution_id = v_loop.source_id AND i.loop_key = v_loop.loop_key
        AND i.index >= v_loop.next_index AND i.index < v_to
        AND (v_loop.is_whole OR ((i.status = 'COMPLETED' OR v_loop.had_completed)
          AND NOT (v_reopens AND (v_node = ANY (v_reshaped)
            OR (v_failed AND v_loop.had_completed AND i.status = 'FAILED')
            OR reopens(v_loop.source_id, v_loop.loop_key || ':' || i.index, v_loop.loop_key || ':' || i.index || '0',
              v_again, v_reshaped, v_failed)))))
      ORDER BY i.index);
    IF NOT v_loop.is_whole AND EXISTS (
      SELECT FROM execution_steps s WHERE s.execution_id = v_loop.source_id AND s.iteration = v_scope
        AND s.node_id = v_node AND s.type = 'repeat') THEN
      -- A repeat reuses the iterations before the first that did not succeed, and of the rest only looks at that one.
      v_whole := ARRAY(
        SELECT w.index FROM unnest(v_whole) WITH ORDINALITY AS w(index, place)
        WHERE w.index = v_loop.next_index + w.place - 1 ORDER BY w.index);
      IF v_loop.next_index + cardinality(v_whole) < v_to THEN
        v_to := v_loop.next_index + cardinality(v_whole) + 1;
        v_end := v_to;
      END IF;
    END IF;
    UPDATE loops_to_take_over o SET next_index = v_to, is_over = v_to >= v_end
    WHERE o.execution_id = p_execution AND o.loop_key = v_loop.loop_key;

    WITH taken AS (
      INSERT INTO execution_iterations (
        execution_id, loop_key, index, workspace_id, status, output, error, bytes, is_kept)
      SELECT p_execution, i.loop_key, i.index, p_workspace, i.status, i.output, i.error, i.bytes, true
      FROM execution_iterations i
      WHERE i.execution_id = v_loop.source_id AND i.loop_key = v_loop.loop_key
        AND i.index >= v_loop.next_index AND i.index < v_to AND i.index = ANY (v_whole)
      RETURNING status, bytes
    )
    SELECT count(*) FILTER (WHERE status = 'COMPLETED'), COALESCE(sum(bytes), 0) INTO v_completed, v_bytes FROM taken;
    IF NOT v_loop.is_whole AND cardinality(v_whole) > 0 THEN
      UPDATE execution_steps s SET
        iterations_completed = s.iterations_completed + v_completed,
        iterations_failed = s.iterations_failed + cardinality(v_whole) - v_completed,
        iterations_bytes = s.iterations_bytes + v_bytes,
        iterations_kept = s.iterations_kept + cardinality(v_whole)
      WHERE s.execution_id = p_execution AND s.iteration = v_scope AND s.node_id = v_node;
    END IF;

    -- Copies all steps of these iterations, the successful steps of the others, and the loops that resume there.
    WITH rules AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(v_execution.take_over -> 'rules') AS r(
        id text, keep boolean, handled boolean, stop boolean, loop text, "otherOutput" boolean, after text[], input jsonb)
    ), found AS MATERIALIZED (
      SELECT s.*, v_loop.is_whole OR n.index = ANY (v_whole) AS is_whole, s.iteration || '/' || s.node_id AS key,
        s.type IN ('forEach', 'repeat') AS is_loop
      FROM generate_series(v_loop.next_index, v_to - 1) AS n(index)
      JOIN execution_steps s ON s.execution_id = v_loop.source_id AND s.iteration = v_loop.loop_key || ':' || n.index
    ), judged AS MATERIALIZED (
      SELECT f.id, f.iteration, f.node_id, r.after, r.keep, r.loop, r.input,
        r.keep AND ((f.status = 'COMPLETED' AND NOT r.stop) OR (f.status = 'FAILED' AND r.handled))
          AND NOT r."otherOutput" AND NOT (f.is_loop AND v_reopens AND reopens_loop(
            v_loop.source_id, f.key, f.status = 'COMPLETED', v_again, v_reshaped, v_failed)) AS is_kept
      FROM found f JOIN rules r ON r.id = f.node_id WHERE NOT f.is_whole
    ), free AS MATERIALIZED (
      SELECT j.id, j.input, NOT j.is_kept AS goes_on FROM judged j
      WHERE (j.is_kept OR (j.keep AND j.loop IS NOT NULL)) AND NOT EXISTS (
        SELECT FROM judged b WHERE b.iteration = j.iteration AND NOT b.is_kept AND j.node_id = ANY (b.after))
    ), taken AS MATERIALIZED (
      SELECT f.id, false AS goes_on, NULL::jsonb AS input FROM found f WHERE f.is_whole
      UNION ALL SELECT j.id, j.goes_on, j.input FROM free j
    ), copied AS (
      INSERT INTO execution_steps (
        id, execution_id, workspace_id, node_id, iteration, label, type, app_id, action_id, status, attempt, handle, input,
        output, error, queued_at, started_at, stopped_at, attempts, attempt_started_at, copied_from_id, reused_from_id,
        iterations_total,
        iterations_completed, iterations_failed, iterations_bytes, iterations_kept)
      SELECT uuid_v7_of_now(), p_execution, p_workspace, s.node_id, s.iteration, s.label, s.type, s.app_id, s.action_id,
        CASE WHEN NOT t.goes_on THEN s.status WHEN v_execution.stopped_at IS NULL THEN 'RUNNING' ELSE 'CANCELLED' END,
        CASE WHEN t.goes_on THEN 1 ELSE s.attempt END, CASE WHEN NOT t.goes_on THEN s.handle END,
        CASE WHEN t.goes_on THEN s.input || COALESCE(t.input, '{}') ELSE s.input END,
        CASE WHEN NOT t.goes_on THEN s.output END, CASE WHEN NOT t.goes_on THEN s.error END, s.queued_at, s.started_at,
        CASE WHEN NOT t.goes_on THEN s.stopped_at ELSE v_execution.stopped_at END,
        CASE WHEN NOT t.goes_on THEN s.attempts END, CASE WHEN NOT t.goes_on THEN s.attempt_started_at END,
        CASE WHEN NOT t.goes_on THEN s.id END,
        CASE WHEN NOT t.goes_on THEN COALESCE(s.reused_from_id, s.execution_id) END, s.iterations_total,
        CASE WHEN t.goes_on THEN 0 ELSE s.iterations_completed END, CASE WHEN t.goes_on THEN 0 ELSE s.iterations_failed END,
        CASE WHEN t.goes_on THEN 0 ELSE s.iterations_bytes END, CASE WHEN t.goes_on THEN 0 END
      FROM taken t JOIN found s ON s.id = t.id
      ORDER BY s.position
    )
    INSERT INTO loops_to_take_over (execution_id, workspace_id, source_id, loop_key, is_whole, had_completed)
    SELECT p_execution, p_workspace, v_loop.source_id, s.key, NOT t.goes_on, s.status = 'COMPLETED'
    FROM taken t JOIN found s ON s.id = t.id
    WHERE s.is_loop ORDER BY s.position DESC;
    GET DIAGNOSTICS v_loops = ROW_COUNT;
    -- No inner loops, so it needs no second look.
    IF v_loop.is_whole AND v_to >= v_end AND v_loops = 0 THEN
      DELETE FROM loops_to_take_over o WHERE o.execution_id = p_execution AND o.loop_key = v_loop.loop_key;
    END IF;
  END LOOP;
  RETURN true;
END $$;

-- Returns the retry that excludes another one: the open one, otherwise the newest completed one.
CREATE FUNCTION live_retry(p_workspace uuid, p_execution uuid) RETURNS TABLE (id uuid, status text)
LANGUAGE sql STABLE AS $$
  SELECT r.id, r.status FROM executions r
  WHERE r.retry_of_id = p_execution AND r.workspace_id = p_workspace
    AND r.status NOT IN ('FAILED', 'CANCELLED', 'TIMED_OUT')
  ORDER BY r.status = 'COMPLETED', r.number DESC LIMIT 1
$$;

-- Accepts a retry (createRetry.ts): a PENDING execution linked to the one before it, with the work that it takes over
-- and its progress. A workflow's retry is a start of its current version (p_head), which then gets the version to run;
-- that of an ad-hoc run or of a draft has its definition. p_trigger: NULL for that of the one before. Returns created, held, or why nothing
-- was written: exists (this execution), absent (the one before, or it is open), stale (the workflow is at another
-- version or inactive), retried (live_retry is open, or COMPLETED and p_again is false).
CREATE FUNCTION accept_retry(
  p_workspace uuid, p_before uuid, p_execution uuid, p_head uuid, p_version uuid, p_trigger jsonb, p_variables text[],
  p_request text, p_by_type text, p_by_id uuid, p_progress jsonb, p_keep jsonb, p_trace text,
  p_again boolean, OUT outcome text, OUT limited boolean, OUT takes_over boolean, OUT live_retry jsonb
) LANGUAGE plpgsql AS $$
DECLARE
  v_before executions%ROWTYPE;
  v_number integer;
  v_held boolean := false;
BEGIN
  limited := false;
  takes_over := false;
  outcome := 'exists';
  IF EXISTS (SELECT 1 FROM executions e WHERE e.id = p_execution) THEN RETURN; END IF;
  -- Held until the retry exists: retention skips the row, and of two concurrent retries the second finds the first.
  SELECT * INTO v_before FROM executions e
  WHERE e.id = p_before AND e.workspace_id = p_workspace
    AND e.status IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  FOR NO KEY UPDATE;
  outcome := 'absent';
  IF NOT FOUND THEN RETURN; END IF;

  -- A new statement after the lock sees what its previous holder has committed, which may be the same request.
  outcome := 'exists';
  IF EXISTS (SELECT 1 FROM executions e WHERE e.id = p_execution) THEN RETURN; END IF;
  SELECT jsonb_build_object('id', l.id, 'status', l.status) INTO live_retry FROM live_retry(p_workspace, p_before) l
  WHERE l.status <> 'COMPLETED' OR NOT p_again;
  outcome := 'retried';
  IF FOUND THEN RETURN; END IF;

  IF v_before.version_id IS NOT NULL THEN
    SELECT s.held, s.limited INTO v_held, limited
    FROM accept_execution(p_workspace, v_before.workflow_id, p_head, p_execution,
      COALESCE(p_trigger, v_before.trigger), p_variables, p_request, 'retry', p_by_type, p_by_id,
      p_trace => p_trace) s;
    outcome := 'stale';
    IF NOT FOUND THEN RETURN; END IF;
  ELSE
    UPDATE workspaces w SET execution_count = w.execution_count + 1 WHERE w.id = p_workspace
    RETURNING w.execution_count INTO v_number;
    INSERT INTO executions (id, workspace_id, project_id, workflow_id, definition, number, name, source, is_internal,
      trigger, variables, request_id, started_by_type, starters, trace)
    VALUES (p_execution, p_workspace, v_before.project_id, v_before.workflow_id, v_before.definition, v_number,
      v_before.name, v_before.source, v_before.is_internal, COALESCE(p_trigger, v_before.trigger),
      CASE WHEN cardinality(p_variables) = 0 THEN '{}'
        ELSE variables_at_start(p_workspace, v_before.project_id, p_variables) END,
      p_request, 'retry', CASE WHEN p_by_id IS NULL THEN '{}' ELSE ARRAY[person_of(p_by_type, p_by_id)] END, p_trace)
    ON CONFLICT (id) DO NOTHING;
    outcome := 'exists';
    IF NOT FOUND THEN RETURN; END IF;
  END IF;

  UPDATE executions e SET version_id = p_version,
    workflow_version = (SELECT v.version FROM workflow_versions v WHERE v.id = p_version), labels = v_before.labels,
    retry_of_id = p_before, initial_progress = p_progress,
    root_id = COALESCE(v_before.root_id, p_before), lineage_id = COALESCE(v_before.lineage_id, p_before),
    starters = v_before.starters || e.starters
  WHERE e.id = p_execution;

  takes_over := begin_take_over(p_workspace, p_before, p_execution, p_keep);

  outcome := CASE WHEN v_held THEN 'held' ELSE 'created' END;
END $$;

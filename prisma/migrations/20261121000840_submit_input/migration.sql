-- A submission (prisma/store/execution/submitAnswer.ts): added to its question, once, while that is open and in time.
-- With the last that it takes, the question's step is completed by it, and the steps that come next (p_queued, as in
-- record_progress) are written as queued. So what was accepted stands in the rows before the execution is told. No row
-- comes back when the question takes nothing more; `answered` is false while more submissions are required.
-- The execution's row is locked first, as by every write.
CREATE FUNCTION submit_input(
  p_workspace uuid, p_execution uuid, p_question uuid, p_values jsonb, p_queued jsonb
) RETURNS TABLE (answered boolean, revision integer, status text, responded boolean) LANGUAGE plpgsql AS $$
DECLARE
  v_submission jsonb := jsonb_build_object('values', p_values,
    'submittedAt', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  v_question pending_inputs%ROWTYPE;
BEGIN
  PERFORM 1 FROM executions e
  WHERE e.id = p_execution AND e.workspace_id = p_workspace
    AND e.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;

  UPDATE pending_inputs p SET
    submissions = p.submissions || v_submission,
    status = CASE WHEN jsonb_array_length(p.submissions) + 1 >= p.required THEN 'SUBMITTED' ELSE 'OPEN' END,
    submitted_at = now(), signalled_at = now()
  WHERE p.id = p_question AND p.execution_id = p_execution AND p.status = 'OPEN'
    AND (p.expires_at IS NULL OR p.expires_at > now())
  RETURNING * INTO v_question;
  IF NOT FOUND THEN RETURN; END IF;
  IF v_question.status = 'OPEN' THEN
    RETURN QUERY SELECT false, NULL::integer, NULL::text, NULL::boolean;
    RETURN;
  END IF;

  RETURN QUERY
    SELECT true, c.revision, c.status, c.responded
    FROM execution_steps s, record_progress(p_workspace, p_execution,
      jsonb_build_array(jsonb_build_object(
        'id', s.id, 'nodeId', s.node_id, 'iteration', s.iteration, 'label', s.label, 'type', s.type,
        'status', 'COMPLETED', 'attempt', s.attempt, 'stoppedAt', now(),
        'output', input_answer(v_question.submissions, v_question.required))) || p_queued,
      NULL, s.iteration, NULL, NULL, NULL, NULL, NULL) c
    WHERE s.id = p_question;
END $$;

-- What the step of an answered question says: the values of the last submission; where several were required, all of
-- them as `submissions`.
CREATE FUNCTION input_answer(p_submissions jsonb, p_required integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT (p_submissions -> -1 -> 'values') || jsonb_build_object('submittedAt', p_submissions -> -1 -> 'submittedAt')
    || CASE WHEN p_required = 1 THEN '{}' ELSE jsonb_build_object('submissions', p_submissions) END
$$;

-- Batches of queue items.

-- A batch counts towards the queue's max_concurrent until its execution has ended.
ALTER TABLE executions ADD COLUMN queue_id uuid REFERENCES queues ON DELETE SET NULL;
CREATE INDEX executions_queue_idx ON executions (queue_id) WHERE queue_id IS NOT NULL;
CREATE INDEX executions_open_batches_idx ON executions (queue_id) WHERE queue_id IS NOT NULL AND stopped_at IS NULL;

-- The workflows that drain each queue, kept by the trigger below.
CREATE TABLE queue_consumers (
  workflow_id uuid PRIMARY KEY REFERENCES workflows ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  queue_id uuid NOT NULL REFERENCES queues ON DELETE CASCADE,
  -- NULL: the queue's.
  batch_size integer,
  -- Time of its latest batch: the workflow that has waited longest is next.
  served_at timestamptz(3)
);
CREATE INDEX queue_consumers_queue_id_idx ON queue_consumers (queue_id);

-- Like a ready item, because the workflow may be new, active or resumed. The fourth word voids the cached consumers.
CREATE FUNCTION mark_queue_consumer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_queue uuid;
BEGIN
  IF TG_OP = 'INSERT' OR NEW.version_id IS DISTINCT FROM OLD.version_id THEN
    DELETE FROM queue_consumers c WHERE c.workflow_id = NEW.id;
    INSERT INTO queue_consumers (workflow_id, workspace_id, queue_id, batch_size)
    SELECT NEW.id, NEW.workspace_id, q.id, (v.definition #>> '{trigger,config,batchSize}')::integer
    FROM workflow_versions v JOIN queues q
      ON q.id = (v.definition #>> '{trigger,config,queueId}')::uuid AND q.workspace_id = NEW.workspace_id
    WHERE v.id = NEW.version_id AND v.definition #>> '{trigger,type}' = 'queue';
  END IF;
  SELECT c.queue_id INTO v_queue FROM queue_consumers c WHERE c.workflow_id = NEW.id;
  IF FOUND THEN PERFORM pg_notify('perdure_queue', NEW.workspace_id || ' ' || v_queue || '  consumers'); END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER workflows_mark_queue_consumer
AFTER INSERT OR UPDATE OF version_id, is_active, is_paused, max_concurrent, name, project_id ON workflows
FOR EACH ROW EXECUTE FUNCTION mark_queue_consumer();

-- Ready items become executions of a workflow (takeBatches.ts): one per id in p_executions, as far as items and room
-- allow. One call, so that a crash can neither leave a claimed item without an execution nor give it to two. A batch is
-- limited by the batch size and p_bytes, but has at least one item.
CREATE FUNCTION take_queue_batches(
  p_workspace uuid, p_queue uuid, p_workflow uuid, p_version uuid, p_variables text[], p_executions uuid[], p_bytes bigint,
  p_labels jsonb
) RETURNS TABLE (
  "executionId" uuid, name text, "projectId" uuid, number integer, variables jsonb, "startedAt" timestamptz, "timeoutMs" float8,
  limited boolean, trigger jsonb)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_queue queues%ROWTYPE;
  v_workflow workflows%ROWTYPE;
  v_size integer;
  v_room integer;
  v_execution uuid;
  v_items uuid[];
  v_trigger jsonb;
BEGIN
  SELECT * INTO v_queue FROM queues q
  WHERE q.id = p_queue AND q.workspace_id = p_workspace AND q.is_active AND q.deleted_at IS NULL
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT * INTO v_workflow FROM workflows w
  WHERE w.id = p_workflow AND w.workspace_id = p_workspace AND w.version_id = p_version AND w.is_active;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT coalesce(c.batch_size, v_queue.batch_size) INTO v_size FROM queue_consumers c
  WHERE c.workflow_id = p_workflow AND c.queue_id = p_queue;
  IF NOT FOUND THEN RETURN; END IF;

  v_room := least(cardinality(p_executions), v_queue.max_concurrent - (
    SELECT count(*) FROM executions e WHERE e.queue_id = p_queue AND e.stopped_at IS NULL));
  IF v_room > 0 AND (v_workflow.is_paused OR v_workflow.max_concurrent IS NOT NULL) THEN
    SELECT least(v_room, g.room) INTO v_room FROM workflow_gate(p_workspace, p_workflow, true) g;
  END IF;

  FOR v_turn IN 1 .. v_room LOOP
    v_execution := p_executions[v_turn];
    SELECT array_agg(b.id ORDER BY b.place), jsonb_build_object('items', jsonb_agg(b.item ORDER BY b.place))
    INTO v_items, v_trigger
    FROM (
      SELECT r.id, r.item, row_number() OVER line AS place, sum(r.bytes) OVER line AS total
      FROM (
        SELECT i.id, i.ready_rank, i.created_at, octet_length(i.data::text) + octet_length(i.metadata::text) AS bytes,
          jsonb_build_object('id', i.id, 'externalId', i.external_id, 'data', i.data, 'metadata', i.metadata,
            'priority', i.priority, 'objectId', i.object_id, 'retryCount', i.retry_count,
            'createdAt', to_char(i.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item
        FROM queue_items i WHERE i.queue_id = p_queue AND i.ready_rank IS NOT NULL
        ORDER BY i.ready_rank DESC, i.created_at, i.id LIMIT v_size FOR UPDATE SKIP LOCKED
      ) r WINDOW line AS (ORDER BY r.ready_rank DESC, r.created_at, r.id)
    ) b WHERE b.place = 1 OR b.total <= p_bytes;
    EXIT WHEN v_items IS NULL;

    SELECT s.name, s."projectId", s.number, s.variables, s."startedAt", s."timeoutMs", s.limited
    INTO name, "projectId", number, variables, "startedAt", "timeoutMs", limited
    FROM accept_execution(p_workspace, p_workflow, p_version, v_execution, v_trigger, p_variables, NULL, 'queue', NULL,
      NULL, p_queue, p_labels, p_starters => ARRAY(
        SELECT DISTINCT p.id FROM queue_items i, unnest(i.starters) AS p(id) WHERE i.id = ANY (v_items) ORDER BY p.id)) s;
    EXIT WHEN NOT FOUND;
    UPDATE queue_items i SET
      status = 'PROCESSING', execution_id = v_execution, last_execution_id = v_execution, processing_started_at = now(),
      processing_completed_at = NULL, next_retry_at = NULL, due_at = NULL, moved_note = NULL, moved_id = NULL,
      updated_at = now(), moved_by = jsonb_build_object('type', 'execution', 'id', v_execution)
    WHERE i.id = ANY (v_items);
    "executionId" := v_execution;
    trigger := v_trigger;
    RETURN NEXT;
  END LOOP;
  UPDATE queue_consumers c SET served_at = clock_timestamp()
  WHERE c.workflow_id = p_workflow AND "executionId" IS NOT NULL
    AND EXISTS (SELECT FROM queue_consumers o WHERE o.queue_id = p_queue AND o.workflow_id <> p_workflow);
END $$;

-- Items that the workflow has not settled. No reason if the execution has secrets, which it might reveal.
CREATE FUNCTION settle_queue_batch() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_message text;
BEGIN
  IF NEW.status = 'COMPLETED' THEN
    -- In id order, like all writers of several items, so that two such statements cannot deadlock.
    WITH own AS MATERIALIZED (
      SELECT i.id FROM queue_items i WHERE i.execution_id = NEW.id AND i.status = 'PROCESSING'
      ORDER BY i.id FOR NO KEY UPDATE
    )
    UPDATE queue_items i SET
      status = 'COMPLETED', processing_completed_at = now(), execution_id = NULL, moved_note = NULL, moved_id = NULL,
      moved_by = jsonb_build_object('type', 'execution', 'id', NEW.id), updated_at = now()
    FROM own WHERE i.id = own.id;
  ELSE
    v_message := CASE NEW.status WHEN 'FAILED' THEN 'The execution failed' WHEN 'CANCELLED' THEN 'The execution was cancelled'
      ELSE 'The execution took too long' END;
    IF NEW.status_message IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM execution_secrets s WHERE s.root_id = coalesce(NEW.root_id, NEW.id) AND s.connection_id IS NULL
    ) THEN
      v_message := v_message || ': ' || NEW.status_message;
    END IF;
    PERFORM fail_queue_items(NEW.workspace_id,
      ARRAY(SELECT i.id FROM queue_items i WHERE i.execution_id = NEW.id AND i.status = 'PROCESSING' ORDER BY i.id),
      jsonb_build_object('message', v_message, 'code', 'EXECUTION_' || NEW.status), NEW.id,
      jsonb_build_object('type', 'execution', 'id', NEW.id));
  END IF;
  PERFORM pg_notify('perdure_queue', NEW.workspace_id || ' ' || NEW.queue_id || ' ');
  RETURN NULL;
END $$;

CREATE TRIGGER executions_settle_queue_batch AFTER UPDATE OF status ON executions
FOR EACH ROW WHEN (NEW.queue_id IS NOT NULL AND NEW.status IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  AND OLD.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'))
EXECUTE FUNCTION settle_queue_batch();

-- The end of an execution outside batches (a retry) makes room for one, and so may the release of a held one.
CREATE FUNCTION tell_queue_of_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('perdure_queue', c.workspace_id || ' ' || c.queue_id || ' ')
  FROM queue_consumers c WHERE c.workflow_id = NEW.workflow_id;
  RETURN NULL;
END $$;

CREATE TRIGGER executions_tell_queue_of_room AFTER UPDATE OF status, held ON executions
FOR EACH ROW WHEN (NEW.limited AND NEW.queue_id IS NULL AND (OLD.held AND NOT NEW.held
  OR NEW.status IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
    AND OLD.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')))
EXECUTE FUNCTION tell_queue_of_room();

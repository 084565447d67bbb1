-- Events to subscribers.

-- An outbox: deliveries are written with the change. A workspace without subscriptions pays one index lookup.

CREATE TABLE event_subscriptions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  url text NOT NULL,
  events text[] NOT NULL,
  -- Required properties of the event, by filter key; {}: any event.
  filter_by jsonb NOT NULL DEFAULT '{}',
  secret bytea NOT NULL,
  key_id text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- GONE, if it was disabled automatically.
  disabled_reason text,
  -- The one process that delivers its events, and until when (engine/events/eventDeliverer.ts).
  held_by uuid,
  held_until timestamptz(3),
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX event_subscriptions_workspace_id_created_at_id_idx
  ON event_subscriptions (workspace_id, created_at DESC, id DESC);
-- Read by every change; most workspaces have none.
CREATE INDEX event_subscriptions_active_idx ON event_subscriptions (workspace_id) WHERE is_active;

-- `id` is the same in retries and replays. `ordinal` orders the events of a subject, whose row the writers hold.
CREATE TABLE event_deliveries (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  subscription_id uuid NOT NULL REFERENCES event_subscriptions ON DELETE CASCADE,
  ordinal bigserial NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  data jsonb NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  status_code integer,
  error text,
  -- Retries end some days after it.
  due_since timestamptz(3) NOT NULL DEFAULT now(),
  next_attempt_at timestamptz(3) DEFAULT now(),
  taken_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX event_deliveries_subscription_id_created_at_id_idx
  ON event_deliveries (subscription_id, created_at DESC, id DESC);
CREATE INDEX event_deliveries_due_idx ON event_deliveries (subscription_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX event_deliveries_subject_idx ON event_deliveries (subscription_id, subject, ordinal) WHERE status = 'pending';

-- Returns whether the workspace may have one more subscription. Inserts of a workspace take turns.
CREATE FUNCTION event_subscription_room(p_workspace uuid, p_most integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('event subscriptions ' || p_workspace, 0));
  RETURN (SELECT count(*) < p_most FROM event_subscriptions s WHERE s.workspace_id = p_workspace);
END $$;

CREATE FUNCTION is_event_wanted(p_workspace uuid, p_type text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_subscriptions s
    WHERE s.workspace_id = p_workspace AND s.is_active AND p_type = ANY (s.events))
$$;

CREATE FUNCTION event_time(p_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Adds a delivery for each matching subscription and notifies the deliverers. p_about: filter keys and values.
CREATE FUNCTION note_event(p_workspace uuid, p_type text, p_subject text, p_about jsonb, p_data jsonb) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_deliveries (id, workspace_id, subscription_id, type, subject, data)
  SELECT uuid_v7_of_now(), p_workspace, s.id, p_type, p_subject, p_data FROM event_subscriptions s
  WHERE s.workspace_id = p_workspace AND s.is_active AND p_type = ANY (s.events) AND p_about @> s.filter_by;
  IF FOUND THEN PERFORM pg_notify('perdure_events', p_workspace::text); END IF;
END $$;

CREATE FUNCTION note_execution_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_type text := 'execution.' || CASE NEW.status WHEN 'TIMED_OUT' THEN 'timedOut' ELSE lower(NEW.status) END;
BEGIN
  IF NOT is_event_wanted(NEW.workspace_id, v_type) OR is_of_draft(NEW) THEN RETURN NULL; END IF;
  PERFORM note_event(NEW.workspace_id, v_type, 'execution/' || NEW.id,
    jsonb_build_object('workflowId', NEW.workflow_id, 'projectId', NEW.project_id),
    jsonb_build_object('id', NEW.id, 'number', NEW.number, 'name', NEW.name, 'status', NEW.status,
      'workflowId', NEW.workflow_id, 'projectId', NEW.project_id, 'errorCode', NEW.error_code,
      'failedNodeId', NEW.failed_node_id, 'parentExecutionId', NEW.parent_execution_id, 'retryOfId', NEW.retry_of_id,
      'startedAt', event_time(NEW.started_at), 'stoppedAt', event_time(NEW.stopped_at)));
  RETURN NULL;
END $$;
CREATE TRIGGER executions_note_event AFTER UPDATE OF status ON executions FOR EACH ROW
WHEN (NEW.status IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT') AND NOT NEW.is_internal
  AND OLD.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'))
EXECUTE FUNCTION note_execution_event();

CREATE FUNCTION note_question_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_execution executions;
BEGIN
  IF NOT is_event_wanted(NEW.workspace_id, 'question.opened') THEN RETURN NULL; END IF;
  SELECT * INTO v_execution FROM executions e WHERE e.id = NEW.execution_id;
  IF is_of_draft(v_execution) THEN RETURN NULL; END IF;
  PERFORM note_event(NEW.workspace_id, 'question.opened', 'execution/' || NEW.execution_id,
    jsonb_build_object('workflowId', v_execution.workflow_id, 'projectId', v_execution.project_id),
    jsonb_build_object('executionId', NEW.execution_id, 'stepId', NEW.id, 'nodeId', NEW.node_id, 'label', NEW.label,
      'workflowId', v_execution.workflow_id, 'projectId', v_execution.project_id,
      'requestedAt', event_time(NEW.requested_at), 'expiresAt', event_time(NEW.expires_at)));
  RETURN NULL;
END $$;
CREATE TRIGGER pending_inputs_note_event AFTER INSERT ON pending_inputs FOR EACH ROW
WHEN (NEW.status = 'OPEN') EXECUTE FUNCTION note_question_event();

-- Expired leases may move items of several workspaces in one statement.
CREATE FUNCTION note_queue_item_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM made m WHERE m."to" = 'FAILED') THEN
    PERFORM note_event(i.workspace_id, 'queueItem.failed', 'queueItem/' || i.id,
      jsonb_build_object('queueId', i.queue_id, 'projectId', q.project_id),
      jsonb_build_object('id', i.id, 'queueId', i.queue_id, 'projectId', q.project_id, 'externalId', i.external_id,
        'retryCount', i.retry_count, 'lastExecutionId', i.last_execution_id,
        'failedAt', event_time(coalesce(i.processing_completed_at, now()))))
    FROM made m JOIN queue_items i ON i.id = m.item_id JOIN queues q ON q.id = i.queue_id
    WHERE m."to" = 'FAILED' AND is_event_wanted(m.workspace_id, 'queueItem.failed') ORDER BY m.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER queue_item_moves_note_events AFTER INSERT ON queue_item_moves REFERENCING NEW TABLE AS made
FOR EACH STATEMENT EXECUTE FUNCTION note_queue_item_events();

-- If the conversation has continued without an answer, nobody is asked (end_turn).
CREATE FUNCTION note_turn_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_task tasks;
  v_project uuid;
BEGIN
  IF NOT is_event_wanted(NEW.workspace_id, 'turn.needsApproval')
    OR EXISTS (SELECT FROM task_runs q WHERE q.task_id = NEW.task_id AND q.status = 'QUEUED') THEN RETURN NULL; END IF;
  SELECT * INTO v_task FROM tasks t WHERE t.id = NEW.task_id;
  SELECT a.project_id INTO v_project FROM agents a WHERE a.id = v_task.agent_id;
  PERFORM note_event(NEW.workspace_id, 'turn.needsApproval', 'task/' || NEW.task_id,
    jsonb_build_object('agentId', v_task.agent_id, 'projectId', v_project),
    jsonb_build_object('runId', NEW.id, 'taskId', v_task.client_id, 'agentId', v_task.agent_id, 'projectId', v_project,
      'messageId', NEW.message_id, 'parentExecutionId', NEW.parent_execution_id));
  RETURN NULL;
END $$;
CREATE TRIGGER task_runs_note_event AFTER UPDATE OF status ON task_runs FOR EACH ROW
WHEN (NEW.status = 'NEEDS_APPROVAL' AND OLD.status <> 'NEEDS_APPROVAL') EXECUTE FUNCTION note_turn_event();

-- Per statement: imports write a thousand entities at once.
CREATE FUNCTION note_object_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT workspace_id FROM made LIMIT 1) m WHERE is_event_wanted(m.workspace_id, 'object.changed')) THEN
    PERFORM note_event(c.workspace_id, 'object.changed', 'object/' || c.object_id,
      jsonb_build_object('objectTypeSlug', t.slug),
      jsonb_build_object('id', c.object_id, 'objectTypeId', c.object_type_id, 'objectTypeSlug', t.slug,
        'kind', c.kind, 'revision', c.revision, 'fromState', c.from_state, 'toState', c.to_state))
    FROM made c JOIN object_types t ON t.id = c.object_type_id ORDER BY c.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER object_changes_note_events AFTER INSERT ON object_changes REFERENCING NEW TABLE AS made
FOR EACH STATEMENT EXECUTE FUNCTION note_object_events();

CREATE FUNCTION note_connection_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_event_wanted(NEW.workspace_id, 'connection.needsReconnect') THEN
    PERFORM note_event(NEW.workspace_id, 'connection.needsReconnect', 'connection/' || NEW.id, '{}',
      jsonb_build_object('id', NEW.id, 'name', NEW.name, 'slug', NEW.slug, 'appId', NEW.workflow_app_id));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER connections_note_event AFTER UPDATE OF status ON connections FOR EACH ROW
WHEN (NEW.status = 'needsReconnect' AND OLD.status <> 'needsReconnect') EXECUTE FUNCTION note_connection_event();

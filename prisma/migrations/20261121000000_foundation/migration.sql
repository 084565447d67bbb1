CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  execution_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE workspace_users (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX workspace_users_user_id_idx ON workspace_users (user_id);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

CREATE TABLE login_failures (
  id uuid PRIMARY KEY,
  subject text NOT NULL,
  failed_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX login_failures_subject_failed_at_idx ON login_failures (subject, failed_at);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  key_hash bytea NOT NULL,
  prefix text NOT NULL,
  permissions text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (key_hash);
CREATE INDEX api_keys_workspace_id_idx ON api_keys (workspace_id);

CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  resource_id uuid NOT NULL,
  status integer,
  answer jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  locked_until timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, operation, key)
);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

CREATE TABLE projects (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  created_by_user_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX projects_workspace_id_updated_at_id_idx ON projects (workspace_id, updated_at DESC, id DESC);

CREATE TABLE variables (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  project_id uuid,
  name text NOT NULL,
  value jsonb NOT NULL,
  description text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX variables_workspace_id_updated_at_id_idx ON variables (workspace_id, updated_at DESC, id DESC);
-- One name once in a scope; Prisma cannot say NULLS NOT DISTINCT, so the workspace's own stand under the nil id.
CREATE UNIQUE INDEX variables_scope_name_key
  ON variables (workspace_id, COALESCE(project_id, '00000000-0000-0000-0000-000000000000'), name);

CREATE TABLE connections (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  workflow_app_id text NOT NULL,
  connection_type text NOT NULL,
  name text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  credentials bytea NOT NULL,
  key_id text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX connections_workspace_id_updated_at_id_idx ON connections (workspace_id, updated_at DESC, id DESC);
CREATE INDEX connections_workspace_id_workflow_app_id_idx ON connections (workspace_id, workflow_app_id);
CREATE UNIQUE INDEX connections_one_default_key ON connections (workspace_id, workflow_app_id) WHERE is_default;

CREATE TABLE workflows (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  project_id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  is_active boolean NOT NULL DEFAULT true,
  is_internal boolean NOT NULL DEFAULT false,
  managed_by_code boolean NOT NULL DEFAULT true,
  orientation text NOT NULL DEFAULT 'horizontal',
  version_id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX workflows_project_id_slug_key ON workflows (project_id, slug);
CREATE INDEX workflows_workspace_id_updated_at_id_idx ON workflows (workspace_id, updated_at DESC, id DESC);

CREATE TABLE workflow_versions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  workflow_id uuid NOT NULL,
  version integer NOT NULL,
  definition jsonb NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX workflow_versions_workflow_id_version_key ON workflow_versions (workflow_id, version);

CREATE TABLE executions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  project_id uuid,
  workflow_id uuid,
  version_id uuid,
  definition jsonb,
  number integer NOT NULL,
  name text NOT NULL,
  source text NOT NULL,
  is_internal boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'PENDING',
  status_message text,
  trigger jsonb NOT NULL,
  variables jsonb NOT NULL,
  output jsonb,
  response jsonb,
  revision integer NOT NULL DEFAULT 0,
  parent_execution_id uuid,
  retry_of_id uuid,
  request_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  stopped_at timestamptz(3),
  reconciled_at timestamptz(3) NOT NULL DEFAULT now(),
  -- A definition of its own, or a version's.
  CHECK ((definition IS NULL) <> (version_id IS NULL))
);
CREATE INDEX executions_workspace_id_started_at_id_idx ON executions (workspace_id, started_at DESC, id DESC);
CREATE INDEX executions_workflow_id_started_at_idx ON executions (workflow_id, started_at DESC);
-- What the reconciler looks through.
CREATE INDEX executions_open_idx ON executions (reconciled_at)
  WHERE status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT');

CREATE TABLE execution_steps (
  id uuid PRIMARY KEY,
  execution_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  position bigserial NOT NULL,
  label text NOT NULL,
  type text NOT NULL,
  app_id text,
  action_id text,
  status text NOT NULL,
  attempt integer NOT NULL DEFAULT 1,
  handle text,
  input jsonb,
  output jsonb,
  error jsonb,
  queued_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  stopped_at timestamptz(3),
  wake_at timestamptz(3),
  iterations_total integer,
  iterations_completed integer,
  iterations_failed integer
);
CREATE UNIQUE INDEX execution_steps_execution_id_node_id_iteration_key
  ON execution_steps (execution_id, node_id, iteration);
-- The live status of an execution follows from its open steps.
CREATE INDEX execution_steps_open_idx ON execution_steps (execution_id)
  WHERE status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT');

-- Iterations of loops that have ended: their outputs make the loop's, and their number is how far it is.
CREATE TABLE execution_iterations (
  execution_id uuid NOT NULL,
  loop_key text NOT NULL,
  index integer NOT NULL,
  workspace_id uuid NOT NULL,
  status text NOT NULL,
  output jsonb,
  error jsonb,
  PRIMARY KEY (execution_id, loop_key, index)
);

CREATE TABLE pending_inputs (
  id uuid PRIMARY KEY,
  execution_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  label text NOT NULL,
  fields jsonb NOT NULL,
  title text,
  instructions text,
  status text NOT NULL DEFAULT 'OPEN',
  required integer NOT NULL DEFAULT 1,
  submissions jsonb NOT NULL,
  host text,
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  submitted_at timestamptz(3),
  signalled_at timestamptz(3)
);
CREATE UNIQUE INDEX pending_inputs_execution_id_node_id_iteration_key
  ON pending_inputs (execution_id, node_id, iteration);
-- Accepted but not yet applied: the reconciler resends their signal.
CREATE INDEX pending_inputs_submitted_idx ON pending_inputs (signalled_at) WHERE status = 'SUBMITTED';

-- Every write to an execution (prisma/store/execution/recordProgress.ts): its steps, its status from the steps that
-- are open, revision + 1. One round trip, planned once a session: that is why it is a function.
-- The row's lock orders the writes of branches side by side, and nothing is written once the execution has ended. A
-- step that is final stays as it is, and so does one whose attempt has ended: a step is written once however often
-- its activity is run again. No row comes back when the execution has ended already.
-- A change of what it does is a function of a new name, so that old workers go on beside new ones.
CREATE FUNCTION record_progress(
  p_workspace uuid, p_execution uuid, p_steps jsonb, p_questions jsonb, p_scope text, p_answered text[],
  p_iterations jsonb, p_cancelled text[], p_response jsonb, p_close jsonb
) RETURNS TABLE (revision integer, status text, responded boolean) LANGUAGE plpgsql AS $$
DECLARE
  v_status text := p_close ->> 'status';
BEGIN
  PERFORM 1 FROM executions e
  WHERE e.id = p_execution AND e.workspace_id = p_workspace
    AND e.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;

  -- What was open below these scopes is so no more.
  IF p_cancelled IS NOT NULL THEN
    UPDATE execution_steps s SET status = 'CANCELLED', stopped_at = now(), wake_at = NULL
    WHERE s.execution_id = p_execution AND s.status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT')
      AND EXISTS (SELECT 1 FROM unnest(p_cancelled) c WHERE starts_with(s.iteration || '/', c));
    UPDATE pending_inputs p SET status = 'CLOSED'
    WHERE p.execution_id = p_execution AND p.status IN ('OPEN', 'SUBMITTED')
      AND EXISTS (SELECT 1 FROM unnest(p_cancelled) c WHERE starts_with(p.iteration || '/', c));
  END IF;

  INSERT INTO execution_steps AS s (
    id, execution_id, workspace_id, node_id, iteration, label, type, app_id, action_id,
    status, attempt, handle, input, output, error, started_at, stopped_at, wake_at, iterations_total,
    iterations_completed, iterations_failed)
  SELECT x.id, p_execution, p_workspace, x."nodeId", x.iteration, x.label, x.type, x."appId", x."actionId",
    x.status, x.attempt, x.handle, x.input, x.output, x.error, x."startedAt", x."stoppedAt", x."wakeAt",
    x."iterationsTotal", CASE WHEN x.type IN ('forEach', 'repeat') THEN 0 END,
    CASE WHEN x.type IN ('forEach', 'repeat') THEN 0 END
  FROM jsonb_to_recordset(p_steps) AS x(
    id uuid, "nodeId" text, iteration text, label text, type text, "appId" text, "actionId" text,
    status text, attempt int, handle text, input jsonb, output jsonb, error jsonb,
    "startedAt" timestamptz, "stoppedAt" timestamptz, "wakeAt" timestamptz, "iterationsTotal" int)
  ON CONFLICT (execution_id, node_id, iteration) DO UPDATE SET
    status = excluded.status, attempt = excluded.attempt, handle = excluded.handle,
    input = COALESCE(excluded.input, s.input), output = excluded.output, error = excluded.error,
    started_at = COALESCE(s.started_at, excluded.started_at), stopped_at = excluded.stopped_at,
    wake_at = excluded.wake_at, iterations_total = COALESCE(excluded.iterations_total, s.iterations_total)
  WHERE s.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED') AND s.attempt <= excluded.attempt
    AND NOT (s.status = 'RETRYING' AND s.attempt = excluded.attempt) AND excluded.status <> 'QUEUED';

  IF p_iterations IS NOT NULL THEN
    WITH ended AS (
      INSERT INTO execution_iterations AS i (execution_id, loop_key, index, workspace_id, status, output, error)
      SELECT p_execution, x."loopKey", x.index, p_workspace, x.status, x.output, x.error
      FROM jsonb_to_recordset(p_iterations) AS x(
        "loopKey" text, index int, status text, output jsonb, error jsonb)
      ON CONFLICT (execution_id, loop_key, index) DO NOTHING
      RETURNING i.loop_key, i.status
    ), counted AS (
      SELECT loop_key, count(*) FILTER (WHERE ended.status = 'COMPLETED') AS completed,
        count(*) FILTER (WHERE ended.status = 'FAILED') AS failed
      FROM ended GROUP BY loop_key
    )
    UPDATE execution_steps s SET
      iterations_completed = s.iterations_completed + c.completed, iterations_failed = s.iterations_failed + c.failed
    FROM counted c
    WHERE s.execution_id = p_execution AND s.node_id = regexp_replace(c.loop_key, '^.*/', '')
      AND s.iteration = regexp_replace(c.loop_key, '/?[^/]*$', '');
  END IF;

  IF p_questions IS NOT NULL THEN
    INSERT INTO pending_inputs (
      id, execution_id, workspace_id, node_id, iteration, label, fields, title, instructions, expires_at, required,
      submissions, host)
    SELECT x.id, p_execution, p_workspace, x."nodeId", x.iteration, x.label, x.fields, x.title, x.instructions,
      x."expiresAt", x.required, '[]', x.host
    FROM jsonb_to_recordset(p_questions) AS x(
      id uuid, "nodeId" text, iteration text, label text, fields jsonb, title text, instructions text,
      "expiresAt" timestamptz, required int, host text)
    ON CONFLICT (execution_id, node_id, iteration) DO NOTHING;
  END IF;
  IF p_answered IS NOT NULL THEN
    UPDATE pending_inputs p SET status = 'APPLIED'
    WHERE p.execution_id = p_execution AND p.workspace_id = p_workspace AND p.status = 'SUBMITTED'
      AND p.iteration = p_scope AND p.node_id = ANY (p_answered);
  END IF;

  -- A loop is open while its iterations run, wait and ask: they tell the status.
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

  RETURN QUERY UPDATE executions e SET
      revision = e.revision + 1, updated_at = now(), status = v_status,
      response = COALESCE(e.response, p_response),
      stopped_at = CASE WHEN p_close IS NULL THEN NULL ELSE now() END,
      status_message = p_close ->> 'statusMessage',
      output = p_close -> 'output'
    WHERE e.id = p_execution
    RETURNING e.revision, e.status, e.response IS NOT NULL;
END $$;

-- A start of a workflow's version (prisma/store/execution/createExecution.ts): its PENDING row, its number, and its
-- variables as they are now (p_variables names them; null: all), a project's before the workspace's of the same name.
-- Nothing is written, and no row comes back, where the workflow is not active or not at that version, or where the
-- execution exists already. A function for the same reason as record_progress.
CREATE FUNCTION start_workflow_execution(
  p_workspace uuid, p_workflow uuid, p_version uuid, p_execution uuid, p_trigger jsonb, p_variables text[],
  p_request text
) RETURNS TABLE (name text, "projectId" uuid, number integer, variables jsonb, "startedAt" timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_workflow workflows%ROWTYPE;
  v_number integer;
  v_variables jsonb := '{}';
BEGIN
  SELECT * INTO v_workflow FROM workflows w
  WHERE w.id = p_workflow AND w.workspace_id = p_workspace AND w.version_id = p_version AND w.is_active;
  IF NOT FOUND OR EXISTS (SELECT 1 FROM executions e WHERE e.id = p_execution) THEN RETURN; END IF;

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
      request_id)
    VALUES (p_execution, p_workspace, v_workflow.project_id, p_workflow, p_version, v_number, v_workflow.name,
      'WORKFLOW', v_workflow.is_internal, p_trigger, v_variables, p_request)
    ON CONFLICT (id) DO NOTHING
    RETURNING e.name, e.project_id, e.number, e.variables, e.started_at::timestamptz;
END $$;

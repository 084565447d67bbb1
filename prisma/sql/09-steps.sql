-- Steps, iterations and questions.

CREATE TABLE execution_steps (
  id uuid PRIMARY KEY,
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
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
  input_bytes integer GENERATED ALWAYS AS (octet_length(input::text)) STORED,
  output_bytes integer GENERATED ALWAYS AS (octet_length(output::text)) STORED,
  error jsonb,
  queued_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  stopped_at timestamptz(3),
  wake_at timestamptz(3),
  -- The last 20 failed attempts, {attempt, startedAt, stoppedAt, error}. The row itself is the latest attempt.
  attempts jsonb,
  attempt_started_at timestamptz(3),
  -- No foreign key: it marks a copy for as long as the copy exists.
  copied_from_id uuid,
  -- For a copy: the execution in which the step ran, however long the chain of retries is. No foreign key either.
  reused_from_id uuid,
  iterations_total integer,
  iterations_completed integer,
  iterations_failed integer,
  -- For a loop: the total bytes of its ended iterations.
  iterations_bytes bigint,
  -- A retry's reused loop: the execution with its iterations. A resumed loop: the number of reused iterations.
  iterations_in uuid,
  iterations_kept integer,
  -- While the step is on a customer's worker: the queue, activity or workflow, and the Temporal workflow that called it,
  -- if it is not the execution's own.
  task_queue text,
  task_kind text,
  task_host text
);
-- Keeps steps of an iteration, and all inside it, adjacent. The operator class finds those by ~>=~ and ~<~.
CREATE UNIQUE INDEX execution_steps_execution_id_iteration_node_id_key
  ON execution_steps (execution_id, iteration text_pattern_ops, node_id);
-- The live status of an execution is computed from its open steps.
CREATE INDEX execution_steps_open_idx ON execution_steps (execution_id)
  WHERE status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT');
-- Steps on queues of customers' workers, which may have no worker.
CREATE INDEX execution_steps_on_workers_idx ON execution_steps (task_queue, task_kind, status)
  WHERE task_queue IS NOT NULL AND status IN ('RUNNING', 'WAITING');
-- Executions that wait for another attempt of a step, and for each the step that is retried next.
CREATE INDEX execution_steps_retrying_idx ON execution_steps (workspace_id, execution_id, wake_at, position)
  WHERE status = 'RETRYING';
-- Sorting is disabled, so that the planner reads the index instead of sorting thousands of steps in a loop.
CREATE FUNCTION next_attempts(p_workspace uuid, p_execution uuid, p_most integer) RETURNS SETOF execution_steps
LANGUAGE sql STABLE SET enable_sort = off AS $$
  SELECT * FROM execution_steps s
  WHERE s.workspace_id = p_workspace AND s.execution_id = p_execution AND s.status = 'RETRYING'
  ORDER BY s.wake_at, s.position LIMIT p_most
$$;
CREATE INDEX execution_steps_failed_items_idx ON execution_steps (workspace_id, execution_id) WHERE iterations_failed > 0;
-- Pages of steps inside loops. Steps outside loops are few, and not indexed here.
CREATE INDEX execution_steps_in_loops_idx ON execution_steps (execution_id, position) WHERE iteration <> '';
CREATE INDEX execution_steps_in_loops_node_idx ON execution_steps (execution_id, node_id, position)
  WHERE iteration <> '';
CREATE INDEX execution_steps_ended_badly_idx ON execution_steps (execution_id, status, position)
  WHERE status IN ('FAILED', 'CANCELLED');

-- Ended iterations of loops: they give the loop's output and progress.
CREATE TABLE execution_iterations (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  loop_key text NOT NULL,
  index integer NOT NULL,
  workspace_id uuid NOT NULL,
  status text NOT NULL,
  output jsonb,
  error jsonb,
  -- The size of its entry in the loop's output as workers write JSON, with a comma: Postgres adds spaces.
  bytes integer NOT NULL DEFAULT 0,
  -- In a retry: reused. A loop that resumes runs all other iterations, whatever ends meanwhile.
  is_kept boolean NOT NULL DEFAULT false,
  PRIMARY KEY (execution_id, loop_key, index)
);

-- Console output of code steps. Few steps have any, so it is not in their rows.
CREATE TABLE step_consoles (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  workspace_id uuid NOT NULL,
  attempt integer NOT NULL,
  lines jsonb NOT NULL,
  -- Known without reading them: reads limit how much of an execution they return.
  bytes integer GENERATED ALWAYS AS (octet_length(lines::text)) STORED,
  PRIMARY KEY (execution_id, node_id, iteration)
);

CREATE TABLE pending_inputs (
  id uuid PRIMARY KEY,
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  label text NOT NULL,
  fields jsonb NOT NULL,
  title text,
  instructions text,
  status text NOT NULL DEFAULT 'OPEN',
  required integer NOT NULL DEFAULT 1,
  submitters jsonb NOT NULL DEFAULT '"anyone"',
  exclude_starter boolean NOT NULL DEFAULT false,
  submissions jsonb NOT NULL,
  host text,
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  submitted_at timestamptz(3),
  signalled_at timestamptz(3)
);
CREATE UNIQUE INDEX pending_inputs_execution_id_node_id_iteration_key
  ON pending_inputs (execution_id, node_id, iteration);
-- Open questions of a workspace, oldest first.
CREATE INDEX pending_inputs_open_idx ON pending_inputs (workspace_id, requested_at, id) WHERE status = 'OPEN';
-- Accepted but not yet applied: the reconciler repeats their signal.
CREATE INDEX pending_inputs_submitted_idx ON pending_inputs (workspace_bucket(workspace_id), signalled_at) WHERE status = 'SUBMITTED';

-- Steps that wait for an authorization or an approval (agent.run). No foreign keys: the reconciler deletes rows of
-- steps that have continued, and of connections and turns that are gone.
CREATE TABLE step_waits (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  -- connection or approval: `awaited` is the connection, or the turn with the tool call.
  kind text NOT NULL,
  awaited uuid NOT NULL,
  workspace_id uuid NOT NULL,
  -- The waiting Temporal workflow, if it is not the execution's own.
  host text,
  -- Infinity: not to be signalled while the turn waits for approval (tend_approval_waits).
  signalled_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (execution_id, node_id, iteration, awaited)
);
CREATE INDEX step_waits_awaited_signalled_at_idx ON step_waits (awaited, signalled_at);
CREATE INDEX step_waits_signalled_at_idx ON step_waits (signalled_at);

-- Single-use tokens for the credentials of a call: only the hash. A step on a customer's worker has one, of its last
-- attempt. A call over HTTP has no step here: its token is deleted when the call ends.
CREATE TABLE credential_tokens (
  hash bytea PRIMARY KEY,
  execution_id uuid REFERENCES executions ON DELETE CASCADE,
  node_id text,
  iteration text NOT NULL DEFAULT '',
  workspace_id uuid NOT NULL,
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX credential_tokens_execution_id_node_id_iteration_key ON credential_tokens (execution_id, node_id, iteration);
CREATE INDEX credential_tokens_expires_at_idx ON credential_tokens (expires_at) WHERE execution_id IS NULL;
CREATE INDEX credential_tokens_connection_id_idx ON credential_tokens (connection_id);

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
  -- Attempts that failed and were followed by another: the last 20, {attempt, startedAt, stoppedAt, error}. The last one
  -- is the row itself; where it is not the first, it began at attempt_started_at.
  attempts jsonb,
  attempt_started_at timestamptz(3),
  -- Marks a copy for as long as it is there: no bond.
  copied_from_id uuid,
  -- Of a copy: the execution in which the step really ran, at the other end of the chain of retries. No bond either.
  reused_from_id uuid,
  iterations_total integer,
  iterations_completed integer,
  iterations_failed integer,
  -- Of a loop: the sum of the bytes of its iterations that have ended.
  iterations_bytes bigint,
  -- In a retry. Of a loop that is kept as a whole: the execution that has its iterations, which stays for as long as there
  -- are retries. Of a loop that goes on: how many of its iterations were taken over.
  iterations_in uuid,
  iterations_kept integer
);
-- In this order the steps outside loops, of one iteration, and of all iterations inside it are adjacent. The operator
-- class finds the inner ones by ~>=~ and ~<~ under any collation.
CREATE UNIQUE INDEX execution_steps_execution_id_iteration_node_id_key
  ON execution_steps (execution_id, iteration text_pattern_ops, node_id);
-- The live status of an execution follows from its open steps.
CREATE INDEX execution_steps_open_idx ON execution_steps (execution_id)
  WHERE status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT');
-- Executions that wait for another attempt of a step, and of each the step that is tried next.
CREATE INDEX execution_steps_retrying_idx ON execution_steps (workspace_id, execution_id, wake_at, position)
  WHERE status = 'RETRYING';
-- The steps of an execution that are tried again, the next ones first. Most executions have few, so that the planner takes
-- reading all and sorting them for as cheap, which of a loop may be thousands: it may not sort here, and reads that index.
CREATE FUNCTION next_attempts(p_workspace uuid, p_execution uuid, p_most integer) RETURNS SETOF execution_steps
LANGUAGE sql STABLE SET enable_sort = off AS $$
  SELECT * FROM execution_steps s
  WHERE s.workspace_id = p_workspace AND s.execution_id = p_execution AND s.status = 'RETRYING'
  ORDER BY s.wake_at, s.position LIMIT p_most
$$;
-- Loops with items that failed: a retry of many finds executions by them.
CREATE INDEX execution_steps_failed_items_idx ON execution_steps (workspace_id, execution_id) WHERE iterations_failed > 0;
-- Pages of steps inside loops, also of one node, and of failed ones. Steps outside loops are at most as many as nodes;
-- they are not in these indexes.
CREATE INDEX execution_steps_in_loops_idx ON execution_steps (execution_id, position) WHERE iteration <> '';
CREATE INDEX execution_steps_in_loops_node_idx ON execution_steps (execution_id, node_id, position)
  WHERE iteration <> '';
CREATE INDEX execution_steps_ended_badly_idx ON execution_steps (execution_id, status, position)
  WHERE status IN ('FAILED', 'CANCELLED');

-- Iterations of loops that have ended: their outputs make the loop's, and their number is how far it is.
CREATE TABLE execution_iterations (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  loop_key text NOT NULL,
  index integer NOT NULL,
  workspace_id uuid NOT NULL,
  status text NOT NULL,
  output jsonb,
  error jsonb,
  -- Of its entry in the loop's output, as the workers write JSON, with a comma: Postgres writes it with spaces.
  bytes integer NOT NULL DEFAULT 0,
  -- In a retry: taken over. What remains for a loop that goes on is all others, whatever ends meanwhile.
  is_kept boolean NOT NULL DEFAULT false,
  PRIMARY KEY (execution_id, loop_key, index)
);

-- Console lines of a step's code. Few steps have any, so they are not in the rows of steps.
CREATE TABLE step_consoles (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  workspace_id uuid NOT NULL,
  attempt integer NOT NULL,
  lines jsonb NOT NULL,
  -- Known without reading them: a read shows so much of an execution's values and no more.
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
-- The open ones of a workspace, the oldest first: what people are asked for.
CREATE INDEX pending_inputs_open_idx ON pending_inputs (workspace_id, requested_at, id) WHERE status = 'OPEN';
-- Accepted but not yet applied: the reconciler resends their signal.
CREATE INDEX pending_inputs_submitted_idx ON pending_inputs (workspace_bucket(workspace_id), signalled_at) WHERE status = 'SUBMITTED';

-- Steps that wait for somebody: until a connection is authorized again, or until a tool call of an agent is approved
-- (agent.run). The step's row is WAITING meanwhile. The reconciler deletes rows of steps that have continued, and of
-- connections and turns that are gone, so there is no foreign key to either.
CREATE TABLE step_waits (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  -- connection or approval: `awaited` is the connection, or the turn whose tool call is to be approved.
  kind text NOT NULL,
  awaited uuid NOT NULL,
  workspace_id uuid NOT NULL,
  -- The Temporal workflow that waits, where it is not the execution's own.
  host text,
  -- Infinity: not to be signalled before the turn no longer asks (tend_approval_waits).
  signalled_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (execution_id, node_id, iteration, awaited)
);
CREATE INDEX step_waits_awaited_signalled_at_idx ON step_waits (awaited, signalled_at);
CREATE INDEX step_waits_signalled_at_idx ON step_waits (signalled_at);

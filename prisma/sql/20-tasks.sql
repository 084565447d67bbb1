-- Tasks and turns.

-- A conversation. client_id is its id in the API: the client may choose it, so that it names a task of its agent alone, and
-- all bonds go by our own id. identifier_scope: '' for callers who see all tasks, otherwise the caller: a custom_identifier
-- is unique in it. A task that a call between agents created belongs to the caller's conversation and is deleted with it.
CREATE TABLE tasks (
  id uuid PRIMARY KEY,
  client_id text NOT NULL CHECK (client_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  agent_id uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
  name text,
  description text,
  custom_identifier text,
  identifier_scope text NOT NULL DEFAULT '',
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  created_by_api_key_id uuid REFERENCES api_keys ON DELETE SET NULL,
  parent_task_id uuid REFERENCES tasks ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  last_activity_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Usage of the model call that named it, if any.
  naming_usage jsonb
);
CREATE UNIQUE INDEX tasks_agent_id_client_id_key ON tasks (agent_id, client_id);
-- For a path that names no agent.
CREATE INDEX tasks_workspace_id_client_id_idx ON tasks (workspace_id, client_id);
CREATE INDEX tasks_workspace_id_updated_at_id_idx ON tasks (workspace_id, updated_at DESC, id DESC);
CREATE INDEX tasks_agent_id_updated_at_id_idx ON tasks (agent_id, updated_at DESC, id DESC);
CREATE INDEX tasks_created_by_user_id_idx ON tasks (created_by_user_id, updated_at DESC, id DESC);
CREATE INDEX tasks_created_by_api_key_id_idx ON tasks (created_by_api_key_id, updated_at DESC, id DESC);
CREATE INDEX tasks_parent_task_id_idx ON tasks (parent_task_id, updated_at DESC, id DESC);
-- The conversations without activity for longest, for retention.
CREATE INDEX tasks_last_activity_idx ON tasks (last_activity_at, id) WHERE parent_task_id IS NULL;
CREATE UNIQUE INDEX tasks_custom_identifier_key ON tasks (agent_id, custom_identifier, identifier_scope)
  WHERE custom_identifier IS NOT NULL;

-- Messages of a task, parts as the `ai` package has them. The run's id is given before there is the run: no bond.
CREATE TABLE task_messages (
  task_id uuid NOT NULL REFERENCES tasks ON DELETE CASCADE,
  id text NOT NULL CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  position bigint NOT NULL,
  role text NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
  parts jsonb NOT NULL,
  metadata jsonb,
  run_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (task_id, id)
);
CREATE INDEX task_messages_task_id_position_idx ON task_messages (task_id, position);

-- A turn; its id is that of the Temporal workflow. At most one turn of a task runs, the others are QUEUED behind it.
-- `attempt` is the fencing number of the newest model call: writes of chunks under an older one have no effect.
-- `sequence` is that of the newest group of chunks; a turn that continues a message begins after the turn before it
-- (first_sequence).
CREATE TABLE task_runs (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  task_id uuid NOT NULL REFERENCES tasks ON DELETE CASCADE,
  number integer NOT NULL,
  status text NOT NULL,
  -- The assistant message that this turn creates or continues.
  message_id text NOT NULL,
  -- Answers to approvals with which it goes on.
  approvals jsonb,
  attempt integer NOT NULL DEFAULT 0,
  first_sequence integer NOT NULL DEFAULT 0,
  sequence integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 0,
  -- [{step, finishReason, usage, goesOn}] of the model calls that have ended.
  steps jsonb NOT NULL,
  -- Tools of MCP servers, as they were when it began (domain/agent/mcpTool.ts); they go when no turn goes on with its message.
  mcp_tools jsonb,
  usage jsonb,
  finish_reason text,
  -- Code of a failure.
  code text,
  -- {code, message, retryAfterMs?} of a failure, or of the last try of a model call, which is tried again at retry_at.
  error jsonb,
  retry_at timestamptz(3),
  -- {toolResults, messages} that the newest model call was not shown, or not whole.
  context_trimmed jsonb,
  -- Tokens that a request may have, where its provider has refused a longer one; otherwise as the agent says.
  context_tokens integer,
  stop_requested_at timestamptz(3),
  request_id text,
  -- As of an execution.
  trace text CHECK (length(trace) <= 600),
  -- The requester, if it is not a person: a turn through a tool call, or an execution through the action agent.run.
  parent_run_id uuid REFERENCES task_runs ON DELETE SET NULL,
  parent_execution_id uuid REFERENCES executions ON DELETE SET NULL,
  -- {executionId, nodeId, iteration, host?} of the step that waits for it, or for the turn that asked for it.
  step jsonb,
  -- The persons on whose behalf it runs, and all that it starts (person_of): who wrote the message, who answered approvals of
  -- it, and those of the turn or the execution that asked for it.
  starters uuid[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When its turn came, and when the engine began it.
  started_at timestamptz(3),
  begun_at timestamptz(3),
  finished_at timestamptz(3),
  -- When its chunks were deleted: its message has them.
  forgotten_at timestamptz(3),
  reconciled_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Until then somebody follows it, who hears of each group of chunks.
  followed_until timestamptz(3),
  UNIQUE (task_id, number)
);
-- For the pass that deletes chunks: only turns that have some are looked at.
CREATE INDEX task_runs_unforgotten_idx ON task_runs (finished_at) WHERE finished_at IS NOT NULL AND forgotten_at IS NULL;
-- For traces: those that have ended, in that order.
CREATE INDEX task_runs_finished_idx ON task_runs (finished_at) WHERE finished_at IS NOT NULL;
-- For the reconciler.
CREATE INDEX task_runs_running_idx ON task_runs (workspace_bucket(workspace_id), reconciled_at) WHERE status = 'RUNNING';
CREATE INDEX task_runs_open_of_executions_idx ON task_runs (parent_execution_id)
  WHERE status IN ('QUEUED', 'RUNNING', 'NEEDS_APPROVAL') AND parent_execution_id IS NOT NULL;
CREATE INDEX task_runs_parent_run_id_idx ON task_runs (parent_run_id);
CREATE INDEX task_runs_parent_execution_id_idx ON task_runs (parent_execution_id);
-- Lists of tasks by what their latest turn waits for or ended with. None that ends well is written here.
CREATE INDEX task_runs_stuck_idx ON task_runs (workspace_id, status, task_id)
  WHERE status IN ('NEEDS_APPROVAL', 'FAILED', 'STOPPED');
-- At most one running turn for each task.
CREATE UNIQUE INDEX task_runs_one_running_idx ON task_runs (task_id) WHERE status = 'RUNNING';

-- The streamed chunks of a turn, in groups, in the wire format. They are deleted some time after the message is stored,
-- so that followers can finish.
CREATE TABLE run_chunks (
  run_id uuid NOT NULL REFERENCES task_runs ON DELETE CASCADE,
  sequence integer NOT NULL,
  step integer NOT NULL,
  attempt integer NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, sequence)
);

-- Calls of tools that could be made. Of an action the execution is what ran; its id is given before there is the execution:
-- no bond.
CREATE TABLE run_tool_calls (
  run_id uuid NOT NULL REFERENCES task_runs ON DELETE CASCADE,
  tool_call_id text NOT NULL,
  step integer NOT NULL,
  position integer NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  input jsonb NOT NULL,
  -- What a person was shown, where one is asked (activities/agents/shownTool.ts): the answer is about that alone.
  shown text,
  output jsonb,
  error text,
  execution_id uuid,
  -- By which the model reads an output that its message does not hold, since it is large.
  result_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  PRIMARY KEY (run_id, tool_call_id)
);
CREATE UNIQUE INDEX run_tool_calls_result_id_key ON run_tool_calls (result_id) WHERE result_id IS NOT NULL;
CREATE INDEX run_tool_calls_execution_id_idx ON run_tool_calls (execution_id) WHERE execution_id IS NOT NULL;

-- Tokens of a usage; whole numbers from 0 on, and 0 for anything else that an older version may have taken from a provider.
CREATE FUNCTION tokens_in(p_usage jsonb, p_name text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_usage ->> p_name ~ '^\d{1,15}(\.\d+)?$' THEN round((p_usage ->> p_name)::numeric)::bigint ELSE 0 END
$$;

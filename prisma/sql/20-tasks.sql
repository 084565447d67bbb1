-- Tasks and turns.

-- `client_id`: the id in the API, unique per agent only, so foreign keys use `id`. `identifier_scope`: '' for callers
-- who see all tasks, otherwise the caller; a custom_identifier is unique in it. A task of a call between agents belongs
-- to the caller's conversation and is deleted with it.
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
-- For paths without an agent.
CREATE INDEX tasks_workspace_id_client_id_idx ON tasks (workspace_id, client_id);
CREATE INDEX tasks_workspace_id_updated_at_id_idx ON tasks (workspace_id, updated_at DESC, id DESC);
CREATE INDEX tasks_agent_id_updated_at_id_idx ON tasks (agent_id, updated_at DESC, id DESC);
CREATE INDEX tasks_created_by_user_id_idx ON tasks (created_by_user_id, updated_at DESC, id DESC);
CREATE INDEX tasks_created_by_api_key_id_idx ON tasks (created_by_api_key_id, updated_at DESC, id DESC);
CREATE INDEX tasks_parent_task_id_idx ON tasks (parent_task_id, updated_at DESC, id DESC);
CREATE INDEX tasks_last_activity_idx ON tasks (last_activity_at, id) WHERE parent_task_id IS NULL;
CREATE UNIQUE INDEX tasks_custom_identifier_key ON tasks (agent_id, custom_identifier, identifier_scope)
  WHERE custom_identifier IS NOT NULL;

-- Messages of a task; parts as in the `ai` package. No foreign key for run_id, which is chosen before the run exists.
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

-- A turn, with the id of its Temporal workflow. One of a task runs, others are QUEUED. `attempt` fences model calls:
-- chunks of older ones are ignored. `sequence`: the latest chunk group; a continuing turn starts at first_sequence.
CREATE TABLE task_runs (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  task_id uuid NOT NULL REFERENCES tasks ON DELETE CASCADE,
  number integer NOT NULL,
  status text NOT NULL,
  -- The assistant message that this turn creates or continues.
  message_id text NOT NULL,
  -- Answers to approvals with which it resumes.
  approvals jsonb,
  attempt integer NOT NULL DEFAULT 0,
  first_sequence integer NOT NULL DEFAULT 0,
  sequence integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 0,
  -- [{step, finishReason, usage, goesOn}] of the ended model calls.
  steps jsonb NOT NULL,
  -- Tools of MCP servers at its beginning (domain/agent/mcpTool.ts), until no turn can continue its message.
  mcp_tools jsonb,
  usage jsonb,
  finish_reason text,
  -- Code of a failure.
  code text,
  -- {code, message, retryAfterMs?} of a failure, or of the latest failed model call, which is retried at retry_at.
  error jsonb,
  retry_at timestamptz(3),
  -- {toolResults, messages} that the latest model call did not get, or not in full.
  context_trimmed jsonb,
  -- The request's maximum of tokens after its provider rejected a longer one; otherwise the agent's.
  context_tokens integer,
  stop_requested_at timestamptz(3),
  request_id text,
  -- Like executions.trace.
  trace text CHECK (length(trace) <= 600),
  -- The requester, if not a person: a turn through a tool call, or an execution through the action agent.run.
  parent_run_id uuid REFERENCES task_runs ON DELETE SET NULL,
  parent_execution_id uuid REFERENCES executions ON DELETE SET NULL,
  -- {executionId, nodeId, iteration, host?} of the step that waits for it, or for the turn that requested it.
  step jsonb,
  -- Persons (person_of): the message's author, those who answered approvals, and those of the requester.
  starters uuid[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When it left the queue, and when the engine began it.
  started_at timestamptz(3),
  begun_at timestamptz(3),
  finished_at timestamptz(3),
  -- When its chunks were deleted: the message contains them.
  forgotten_at timestamptz(3),
  reconciled_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Until then each group of chunks notifies, for a follower.
  followed_until timestamptz(3),
  UNIQUE (task_id, number)
);
-- Turns that still have chunks, for their deletion.
CREATE INDEX task_runs_unforgotten_idx ON task_runs (finished_at) WHERE finished_at IS NOT NULL AND forgotten_at IS NULL;
-- Ended turns in order, for traces.
CREATE INDEX task_runs_finished_idx ON task_runs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX task_runs_running_idx ON task_runs (workspace_bucket(workspace_id), reconciled_at) WHERE status = 'RUNNING';
CREATE INDEX task_runs_open_of_executions_idx ON task_runs (parent_execution_id)
  WHERE status IN ('QUEUED', 'RUNNING', 'NEEDS_APPROVAL') AND parent_execution_id IS NOT NULL;
CREATE INDEX task_runs_parent_run_id_idx ON task_runs (parent_run_id);
CREATE INDEX task_runs_parent_execution_id_idx ON task_runs (parent_execution_id);
-- Lists of tasks by what their latest turn waits for or failed with. Turns that complete are never written here.
CREATE INDEX task_runs_stuck_idx ON task_runs (workspace_id, status, task_id)
  WHERE status IN ('NEEDS_APPROVAL', 'FAILED', 'STOPPED');
CREATE UNIQUE INDEX task_runs_one_running_idx ON task_runs (task_id) WHERE status = 'RUNNING';

-- In groups, in the wire format. Deleted some time after the message is stored, so that followers can finish.
CREATE TABLE run_chunks (
  run_id uuid NOT NULL REFERENCES task_runs ON DELETE CASCADE,
  sequence integer NOT NULL,
  step integer NOT NULL,
  attempt integer NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, sequence)
);

-- Valid tool calls. An action runs as an execution, whose id is chosen before it exists: no foreign key.
CREATE TABLE run_tool_calls (
  run_id uuid NOT NULL REFERENCES task_runs ON DELETE CASCADE,
  tool_call_id text NOT NULL,
  step integer NOT NULL,
  position integer NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  input jsonb NOT NULL,
  -- The text that a person approves (activities/agents/shownTool.ts); the answer covers nothing else.
  shown text,
  output jsonb,
  error text,
  execution_id uuid,
  -- The model reads a large output by this id, because its message does not contain it.
  result_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  PRIMARY KEY (run_id, tool_call_id)
);
CREATE UNIQUE INDEX run_tool_calls_result_id_key ON run_tool_calls (result_id) WHERE result_id IS NOT NULL;
CREATE INDEX run_tool_calls_execution_id_idx ON run_tool_calls (execution_id) WHERE execution_id IS NOT NULL;

-- 0 for anything but a whole number from 0 on, which an older version may have stored.
CREATE FUNCTION tokens_in(p_usage jsonb, p_name text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_usage ->> p_name ~ '^\d{1,15}(\.\d+)?$' THEN round((p_usage ->> p_name)::numeric)::bigint ELSE 0 END
$$;

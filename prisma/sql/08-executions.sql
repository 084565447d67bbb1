-- Executions.

CREATE TABLE executions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  project_id uuid,
  workflow_id uuid,
  version_id uuid,
  -- The number of the version, which never changes.
  workflow_version integer,
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
  -- How large a value is, known without reading it: one above a limit is shown as a link.
  output_bytes integer GENERATED ALWAYS AS (octet_length(output::text)) STORED,
  input_bytes integer GENERATED ALWAYS AS (octet_length(trigger::text) + octet_length(variables::text)) STORED,
  response jsonb,
  -- Of one that ended as FAILED or TIMED_OUT: the code, and the innermost node where a node failed.
  error_code text,
  failed_node_id text,
  -- Texts by key, by which people find it. Null: they are computed from its trigger before the engine has it.
  labels jsonb DEFAULT '{}',
  revision integer NOT NULL DEFAULT 0,
  parent_execution_id uuid REFERENCES executions ON DELETE SET NULL,
  retry_of_id uuid REFERENCES executions ON DELETE SET NULL,
  -- The first of the tree that parents and retries make; null: it is the first. It stays until all others are gone.
  root_id uuid REFERENCES executions ON DELETE SET NULL,
  starter_id text,
  -- What started it: user, apiKey, webhook, schedule, poll, queue, agent, workflow, retry. The id is a user's or a key's.
  started_by_type text NOT NULL DEFAULT 'workflow',
  started_by_id uuid,
  -- The persons who started it, its parents, and what it is a retry of: a question may exclude them.
  starters uuid[] NOT NULL DEFAULT '{}',
  initial_progress jsonb,
  -- Of a retry, while there are loops_to_take_over: by which rules (begin_take_over).
  take_over jsonb,
  -- Of a retry: the first execution of its chain, by which the idempotency keys of all of them are made; it outlives that one.
  lineage_id uuid,
  -- Why someone asked for its end; the row's message once it is cancelled. It stands here and not in the engine, whose
  -- histories hold no text of people.
  cancel_reason text,
  -- The end that was asked for, and when first: cancel or terminate. Until the engine has heard of it, end_due_at is the
  -- time at which the reconciler tells it; an execution that had not begun has ended by then, and is due all the same.
  end_requested text CHECK (end_requested IN ('cancel', 'terminate')),
  end_requested_at timestamptz(3),
  end_due_at timestamptz(3),
  request_id text,
  -- Of what started it: a traceparent, and its tracestate behind a blank. Null: its trace is its own, named by its id.
  trace text CHECK (length(trace) <= 600),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  stopped_at timestamptz(3),
  reconciled_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Accepted like any other start, and nothing of it is in the engine yet (a child's workflow is, and waits).
  held boolean NOT NULL DEFAULT false,
  released_at timestamptz(3),
  limited boolean NOT NULL DEFAULT false,
  -- Which changes are notified where nobody follows: 'first', the first one by which it waits or ends (for the admission
  -- queue, which lets the next start in); 'each' such change, for a caller that waits for its end or answer; 'none'.
  notice text NOT NULL DEFAULT 'first',
  -- Until then somebody follows it, who hears of every change (engine/feeds/changeFeed.ts).
  followed_until timestamptz(3),
  -- A definition of its own, or a version's.
  CHECK ((definition IS NULL) <> (version_id IS NULL)),
  FOREIGN KEY (workflow_id, version_id) REFERENCES workflow_versions (workflow_id, id) ON DELETE RESTRICT
);
CREATE INDEX executions_workspace_id_started_at_id_idx ON executions (workspace_id, started_at DESC, id DESC);
CREATE INDEX executions_workflow_id_started_at_idx ON executions (workflow_id, started_at DESC);
-- Lists by status. Completed ones are most of all: they are found by time.
CREATE INDEX executions_not_completed_idx ON executions (workspace_id, status, started_at DESC, id DESC)
  WHERE status <> 'COMPLETED';
-- The same of one workflow. Those that did not end well alone: none of the others is ever written here.
CREATE INDEX executions_ended_badly_idx ON executions (workflow_id, status, started_at DESC, id DESC)
  WHERE status IN ('FAILED', 'CANCELLED', 'TIMED_OUT');
-- Those that failed, by what and where.
CREATE INDEX executions_error_code_idx ON executions (workspace_id, error_code, started_at DESC, id DESC)
  WHERE error_code IS NOT NULL;
CREATE INDEX executions_failed_node_idx ON executions (workspace_id, failed_node_id, started_at DESC, id DESC)
  WHERE failed_node_id IS NOT NULL;
CREATE INDEX executions_workspace_id_number_idx ON executions (workspace_id, number);
CREATE INDEX executions_version_idx ON executions (workflow_id, workflow_version, started_at DESC, id DESC)
  WHERE workflow_id IS NOT NULL;
-- The open ones of a version: how many, and whether there is any.
CREATE INDEX executions_open_of_version_idx ON executions (workflow_id, workflow_version) WHERE stopped_at IS NULL;
-- Webhooks start most of all, and many at once: theirs are found by time.
CREATE INDEX executions_started_by_idx ON executions (workspace_id, started_by_type, started_at DESC, id DESC)
  WHERE started_by_type <> 'webhook';
-- By label; a term has the workspace in it, so that nobody waits for the labels of others. Executions without labels are
-- not in it, which is why a statement says so too.
CREATE FUNCTION label_terms(p_workspace uuid, p_labels jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(p_workspace || ' ' || l.key || '=' || l.value) FROM jsonb_each_text(p_labels) l
$$;
CREATE INDEX executions_labels_idx ON executions USING gin (label_terms(workspace_id, labels))
  WITH (gin_pending_list_limit = 64) WHERE labels <> '{}';
-- A label of one order is found by the index, one of half the executions by their time: the planner must know which is which.
CREATE STATISTICS executions_labels_stat ON label_terms(workspace_id, labels) FROM executions;
-- For the reconciler, which compares them with the engine, oldest first.
CREATE INDEX executions_open_idx ON executions (workspace_bucket(workspace_id), reconciled_at)
  WHERE status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT');
-- Executions that have not started yet: few, even if many are open. By workspace, because workspaces take turns. IS
-- TRUE, so that only this index fits a statement with the same words (claimUnstarted): otherwise Postgres may choose an
-- index of all executions.
CREATE INDEX executions_unstarted_idx ON executions (workspace_id, reconciled_at)
  WHERE (status = 'PENDING') IS TRUE AND NOT held;
-- Requests to end of which the engine has not heard: none, nearly always.
CREATE INDEX executions_end_due_idx ON executions (workspace_bucket(workspace_id), end_due_at) WHERE end_due_at IS NOT NULL;
CREATE INDEX executions_parent_idx ON executions (parent_execution_id) WHERE parent_execution_id IS NOT NULL;
CREATE INDEX executions_retry_of_idx ON executions (retry_of_id) WHERE retry_of_id IS NOT NULL;
CREATE INDEX executions_root_idx ON executions (root_id) WHERE root_id IS NOT NULL;
-- The held executions of a workflow, and the executions that count towards its limit. Executions of workflows without a
-- limit are in neither index.
CREATE INDEX executions_held_idx ON executions (workflow_id, number) WHERE held;
CREATE INDEX executions_limited_idx ON executions (workflow_id) WHERE limited AND NOT held AND stopped_at IS NULL;
-- The oldest that ended, for retention; and those that ended since the last look, for traces.
CREATE INDEX executions_stopped_idx ON executions (stopped_at, id) WHERE stopped_at IS NOT NULL;

-- Work with which a worker was lost, while it is tried again (activities/execution/lostTries.ts): few, and short-lived.
CREATE TABLE lost_tries (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  work text NOT NULL,
  tries integer NOT NULL DEFAULT 1,
  PRIMARY KEY (execution_id, work)
);

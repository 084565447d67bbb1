-- Executions.

CREATE TABLE executions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  project_id uuid,
  workflow_id uuid,
  version_id uuid,
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
  -- Known without reading the values: above a limit a link is returned instead.
  output_bytes integer GENERATED ALWAYS AS (octet_length(output::text)) STORED,
  input_bytes integer GENERATED ALWAYS AS (octet_length(trigger::text) + octet_length(variables::text)) STORED,
  response jsonb,
  -- If it FAILED or TIMED_OUT: the code, and the innermost failed node if any.
  error_code text,
  failed_node_id text,
  -- Texts by key, for filters. NULL: not yet computed from the trigger; the engine gets the execution afterwards.
  labels jsonb DEFAULT '{}',
  revision integer NOT NULL DEFAULT 0,
  parent_execution_id uuid REFERENCES executions ON DELETE SET NULL,
  retry_of_id uuid REFERENCES executions ON DELETE SET NULL,
  -- The root of the tree of parents and retries, NULL for the root itself. It is kept until all others are gone.
  root_id uuid REFERENCES executions ON DELETE SET NULL,
  starter_id text,
  -- user, apiKey, webhook, schedule, poll, queue, agent, workflow, draft or retry. The id is that of a user or key.
  started_by_type text NOT NULL DEFAULT 'workflow',
  started_by_id uuid,
  -- The persons who started it, its parents and the executions that it retries: a question may exclude them.
  starters uuid[] NOT NULL DEFAULT '{}',
  initial_progress jsonb,
  -- For a retry with rows in loops_to_take_over: the rules of begin_take_over.
  take_over jsonb,
  -- For a retry: the first execution of its chain, from which all of them derive idempotency keys. It may be gone.
  lineage_id uuid,
  -- Becomes the status message. Not in the engine, whose histories contain no texts of people.
  cancel_reason text,
  -- At `end_due_at` the reconciler sends the requested end to the engine, until the engine has accepted it.
  end_requested text CHECK (end_requested IN ('cancel', 'terminate')),
  end_requested_at timestamptz(3),
  end_due_at timestamptz(3),
  request_id text,
  -- The traceparent of its trigger, followed by a space and the tracestate. NULL: its own trace, derived from its id.
  trace text CHECK (length(trace) <= 600),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  stopped_at timestamptz(3),
  reconciled_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Accepted, but not in the engine yet (a child's workflow is, and waits).
  held boolean NOT NULL DEFAULT false,
  released_at timestamptz(3),
  limited boolean NOT NULL DEFAULT false,
  -- Notifies without a follower: 'first', the first change that waits or ends; 'each', for a caller that waits.
  notice text NOT NULL DEFAULT 'first',
  -- Until then every change notifies, for a follower (engine/feeds/changeFeed.ts).
  followed_until timestamptz(3),
  -- A failure that a person or key has dealt with; the type is user or apiKey.
  acknowledged_at timestamptz(3),
  acknowledged_by_type text,
  acknowledged_by_id uuid,
  acknowledged_note text CHECK (length(acknowledged_note) <= 1000),
  -- Either its own definition or that of a version. An ad-hoc run has no workflow; an execution of a draft has one.
  CHECK ((definition IS NULL) <> (version_id IS NULL)),
  FOREIGN KEY (workflow_id, version_id) REFERENCES workflow_versions (workflow_id, id) ON DELETE RESTRICT
);
CREATE INDEX executions_workspace_id_started_at_id_idx ON executions (workspace_id, started_at DESC, id DESC);
CREATE INDEX executions_workflow_id_started_at_idx ON executions (workflow_id, started_at DESC);
-- Lists by status. Completed executions are the majority and are found by time.
CREATE INDEX executions_not_completed_idx ON executions (workspace_id, status, started_at DESC, id DESC)
  WHERE status <> 'COMPLETED';
-- The same for one workflow. Executions that complete are never written here.
CREATE INDEX executions_ended_badly_idx ON executions (workflow_id, status, started_at DESC, id DESC)
  WHERE status IN ('FAILED', 'CANCELLED', 'TIMED_OUT');
CREATE INDEX executions_error_code_idx ON executions (workspace_id, error_code, started_at DESC, id DESC)
  WHERE error_code IS NOT NULL;
CREATE INDEX executions_failed_node_idx ON executions (workspace_id, failed_node_id, started_at DESC, id DESC)
  WHERE failed_node_id IS NOT NULL;
CREATE INDEX executions_workspace_id_number_idx ON executions (workspace_id, number);
CREATE INDEX executions_version_idx ON executions (workflow_id, workflow_version, started_at DESC, id DESC)
  WHERE workflow_id IS NOT NULL;
CREATE INDEX executions_open_of_version_idx ON executions (workflow_id, workflow_version) WHERE stopped_at IS NULL;
-- Webhooks start most executions, many at once; these are found by time.
CREATE INDEX executions_started_by_idx ON executions (workspace_id, started_by_type, started_at DESC, id DESC)
  WHERE started_by_type <> 'webhook';
-- The workspace is part of each term. Executions without labels are not indexed: statements repeat that condition.
CREATE FUNCTION label_terms(p_workspace uuid, p_labels jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(p_workspace || ' ' || l.key || '=' || l.value) FROM jsonb_each_text(p_labels) l
$$;
CREATE INDEX executions_labels_idx ON executions USING gin (label_terms(workspace_id, labels))
  WITH (gin_pending_list_limit = 64) WHERE labels <> '{}';
-- A rare label is found by the index, a frequent one by time: the planner needs the frequencies.
CREATE STATISTICS executions_labels_stat ON label_terms(workspace_id, labels) FROM executions;
-- Executions of drafts, which lists leave out.
CREATE INDEX executions_drafts_idx ON executions (workspace_id, started_at DESC, id DESC)
  WHERE workflow_id IS NOT NULL AND version_id IS NULL;
-- For the reconciler, which compares them with the engine, oldest first.
CREATE INDEX executions_open_idx ON executions (workspace_bucket(workspace_id), reconciled_at)
  WHERE status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT');
-- By workspace, because they take turns. Only IS TRUE matches the words of claimUnstarted.
CREATE INDEX executions_unstarted_idx ON executions (workspace_id, reconciled_at)
  WHERE (status = 'PENDING') IS TRUE AND NOT held;
-- Ends that the engine has not accepted yet: almost always none.
CREATE INDEX executions_end_due_idx ON executions (workspace_bucket(workspace_id), end_due_at) WHERE end_due_at IS NOT NULL;
CREATE INDEX executions_parent_idx ON executions (parent_execution_id) WHERE parent_execution_id IS NOT NULL;
CREATE INDEX executions_retry_of_idx ON executions (retry_of_id) WHERE retry_of_id IS NOT NULL;
CREATE INDEX executions_root_idx ON executions (root_id) WHERE root_id IS NOT NULL;
-- Held executions of a workflow, and those that count towards its limit. Workflows without a limit are in neither.
CREATE INDEX executions_held_idx ON executions (workflow_id, number) WHERE held;
CREATE INDEX executions_limited_idx ON executions (workflow_id) WHERE limited AND NOT held AND stopped_at IS NULL;
-- Ended executions in order, for retention and traces.
CREATE INDEX executions_stopped_idx ON executions (stopped_at, id) WHERE stopped_at IS NOT NULL;

-- Whether it, or the first execution of its tree, is a test of a draft, of which nobody outside is notified.
CREATE FUNCTION is_of_draft(p_execution executions) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM executions r
    WHERE r.id = coalesce(p_execution.root_id, p_execution.id) AND r.workflow_id IS NOT NULL AND r.version_id IS NULL)
$$;

-- Work whose worker was lost, while it is repeated (activities/execution/lostTries.ts): few, short-lived rows.
CREATE TABLE lost_tries (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  work text NOT NULL,
  tries integer NOT NULL DEFAULT 1,
  PRIMARY KEY (execution_id, work)
);

-- What people read of executions: pages of steps, large values by link, lists by status.

-- How large a value is, known without reading it: those above a limit are shown as a link.
ALTER TABLE execution_steps
  ADD COLUMN input_bytes integer GENERATED ALWAYS AS (octet_length(input::text)) STORED,
  ADD COLUMN output_bytes integer GENERATED ALWAYS AS (octet_length(output::text)) STORED;
ALTER TABLE executions
  ADD COLUMN output_bytes integer GENERATED ALWAYS AS (octet_length(output::text)) STORED;

-- The same key in another order: the steps outside loops, of one iteration, and of all below it stand together. Its
-- operator class finds those below by ~>=~ and ~<~ whatever the database's collation.
DROP INDEX execution_steps_execution_id_node_id_iteration_key;
CREATE UNIQUE INDEX execution_steps_execution_id_iteration_node_id_key
  ON execution_steps (execution_id, iteration text_pattern_ops, node_id);
-- Pages of what may be many: steps inside loops, also those of one node, and those that ended badly. Steps outside
-- loops are at most as many as nodes; they pay nothing for these.
CREATE INDEX execution_steps_in_loops_idx ON execution_steps (execution_id, position) WHERE iteration <> '';
CREATE INDEX execution_steps_in_loops_node_idx ON execution_steps (execution_id, node_id, position)
  WHERE iteration <> '';
CREATE INDEX execution_steps_ended_badly_idx ON execution_steps (execution_id, status, position)
  WHERE status IN ('FAILED', 'CANCELLED');

-- Lists by status. Completed ones are most of all: they are found by time.
CREATE INDEX executions_not_completed_idx ON executions (workspace_id, status, started_at DESC, id DESC)
  WHERE status <> 'COMPLETED';
CREATE INDEX executions_parent_idx ON executions (parent_execution_id) WHERE parent_execution_id IS NOT NULL;
CREATE INDEX executions_retry_of_idx ON executions (retry_of_id) WHERE retry_of_id IS NOT NULL;
-- The oldest that ended, for retention.
CREATE INDEX executions_stopped_idx ON executions (stopped_at) WHERE stopped_at IS NOT NULL;

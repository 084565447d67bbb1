-- What a step's code said by console.log and the like: few steps have any, so it does not stand in their rows. It goes
-- with its execution.
CREATE TABLE step_consoles (
  execution_id uuid NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  workspace_id uuid NOT NULL,
  attempt integer NOT NULL,
  lines jsonb NOT NULL,
  PRIMARY KEY (execution_id, node_id, iteration)
);

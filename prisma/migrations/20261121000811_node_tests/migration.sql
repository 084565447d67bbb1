-- A test of one node on its way: what it is given and what it answers reach the worker and come back through here, and
-- through no history. Whoever waits takes the row away with the answer; the reconciler, what nobody took.
CREATE TABLE node_tests (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  workflow_id uuid NOT NULL,
  version_id uuid NOT NULL,
  node_id text NOT NULL,
  request jsonb NOT NULL,
  answer jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX node_tests_expires_at_idx ON node_tests (expires_at);

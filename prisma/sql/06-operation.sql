-- Places and leases of the processes.

-- Live workers, with their shards of duties (engine/duties/dutyLeases.ts). Unlogged, so that renewals wait for no disk.
-- The free space keeps renewals in their page.
CREATE UNLOGGED TABLE duty_workers (
  id uuid PRIMARY KEY,
  duties text[] NOT NULL,
  expires_at timestamptz(3) NOT NULL
) WITH (fillfactor = 50);
CREATE UNLOGGED TABLE duty_leases (
  duty text NOT NULL,
  shard integer NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (duty, shard)
) WITH (fillfactor = 50);

-- The last row that each sweep has read (sweepPlaces.ts). Unlogged: after a crash all sweeps start again.
CREATE UNLOGGED TABLE sweep_places (
  sweep text PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  id uuid NOT NULL,
  again_at timestamptz(3) NOT NULL
);

-- Workspaces with a follower (api/streams/workspaceFeed.ts). Unlogged: listeners reconnect after a crash.
CREATE UNLOGGED TABLE followed_workspaces (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL
);

-- How far ended executions and turns are exported as spans (engine/tracing/exportTraces.ts).
CREATE TABLE trace_cursors (
  name text PRIMARY KEY,
  ended_at timestamptz(3) NOT NULL,
  id uuid NOT NULL
);

-- Places and leases of the processes.

-- The workers that live, and which of them does which shard of a duty (engine/duties/dutyLeases.ts). Unlogged: after a crash
-- of the database all are written again, and no renewal waits for a disk. Free space, so that renewals stay in their page.
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

-- The last row that each sweep of old rows has read (prisma/store/operation/sweepPlaces.ts): it continues behind it, and begins
-- at the oldest row at again_at. Unlogged: after a crash of the database all sweeps begin again.
CREATE UNLOGGED TABLE sweep_places (
  sweep text PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  id uuid NOT NULL,
  again_at timestamptz(3) NOT NULL
);

-- The workspaces of which somebody follows all changes (api/streams/workspaceFeed.ts). Unlogged: after a crash of the
-- database its listeners connect again, and write it again.
CREATE UNLOGGED TABLE followed_workspaces (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL
);

-- Up to where ended rows have been exported as spans (engine/tracing/exportTraces.ts): `executions`, `turns`.
CREATE TABLE trace_cursors (
  name text PRIMARY KEY,
  ended_at timestamptz(3) NOT NULL,
  id uuid NOT NULL
);

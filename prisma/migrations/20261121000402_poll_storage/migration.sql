-- What poll triggers remember.

CREATE TABLE poll_storage (
  workflow_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  source text,
  cursor jsonb,
  last_polled_at timestamptz(3),
  last_error jsonb,
  not_before timestamptz(3)
);

CREATE TABLE poll_seen_keys (
  workflow_id uuid NOT NULL,
  source text NOT NULL,
  key_hash text NOT NULL,
  ordinal bigserial NOT NULL,
  PRIMARY KEY (workflow_id, source, key_hash)
);
CREATE INDEX poll_seen_keys_workflow_id_ordinal_idx ON poll_seen_keys (workflow_id, ordinal);

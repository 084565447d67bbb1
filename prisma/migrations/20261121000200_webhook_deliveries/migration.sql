-- What a webhook has taken within the time of its `duplicates`, by key: the same key is the same execution.
CREATE TABLE webhook_deliveries (
  workspace_id uuid NOT NULL,
  workflow_id uuid NOT NULL,
  key_hash bytea NOT NULL,
  execution_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, workflow_id, key_hash)
);
CREATE INDEX webhook_deliveries_expires_at_idx ON webhook_deliveries (expires_at);

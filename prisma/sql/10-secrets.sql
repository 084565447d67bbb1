-- Secrets of executions.

-- The secrets of a tree of executions: values, and references to connections and secret variables, which stay sealed in
-- their own tables. `digest` (or the id) makes each unique.
CREATE TABLE execution_secrets (
  root_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  digest text NOT NULL,
  workspace_id uuid NOT NULL,
  value text,
  connection_id uuid,
  variable_id uuid,
  PRIMARY KEY (root_id, digest),
  CONSTRAINT execution_secrets_one CHECK (num_nonnulls(value, connection_id, variable_id) = 1)
);
-- Whether an execution still needs the credentials of a deleted connection.
CREATE INDEX execution_secrets_connection_id_idx ON execution_secrets (connection_id) WHERE connection_id IS NOT NULL;

-- A trigger, because starts, children, retries and runs without a workflow all insert rows. Children and retries get
-- their root after the insert; the second trigger repeats the record for it.
CREATE FUNCTION keep_secret_variables() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO execution_secrets (root_id, digest, workspace_id, variable_id)
  SELECT DISTINCT coalesce(NEW.root_id, NEW.id), m.value ->> ' secret', NEW.workspace_id, (m.value ->> ' secret')::uuid
  FROM jsonb_each(NEW.variables) m WHERE jsonb_typeof(m.value) = 'object' AND m.value ? ' secret'
  ORDER BY 2
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER executions_keep_secret_variables AFTER INSERT ON executions
FOR EACH ROW WHEN (NEW.variables @? '$.*." secret"') EXECUTE FUNCTION keep_secret_variables();
CREATE TRIGGER executions_keep_secret_variables_of_root AFTER UPDATE OF root_id ON executions
FOR EACH ROW WHEN (NEW.root_id IS NOT NULL AND NEW.variables @? '$.*." secret"')
EXECUTE FUNCTION keep_secret_variables();

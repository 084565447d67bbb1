-- Connections.

-- `version` counts writes of the credentials. Until `refresh_until`, only `refresher` refreshes the tokens.
CREATE TABLE connections (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  workflow_app_id text NOT NULL,
  connection_type text NOT NULL,
  name text NOT NULL,
  slug text,
  is_default boolean NOT NULL DEFAULT false,
  is_managed boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'connected' CHECK (status IN ('connected', 'needsReconnect')),
  credentials bytea NOT NULL,
  key_id text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  refresher uuid,
  refresh_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX connections_workspace_id_updated_at_id_idx ON connections (workspace_id, updated_at DESC, id DESC);
CREATE INDEX connections_workspace_id_workflow_app_id_idx ON connections (workspace_id, workflow_app_id);
-- Kept while executions refer to them: reads mask repetitions in outputs. They are never used to connect.
CREATE TABLE deleted_connections (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  workflow_app_id text NOT NULL,
  connection_type text NOT NULL,
  credentials bytea NOT NULL,
  key_id text NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX deleted_connections_deleted_at_id_idx ON deleted_connections (deleted_at, id);

CREATE FUNCTION keep_deleted_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_connections (id, workspace_id, workflow_app_id, connection_type, credentials, key_id)
  SELECT OLD.id, w.id, OLD.workflow_app_id, OLD.connection_type, OLD.credentials, OLD.key_id
  -- With its workspace all of it is deleted.
  FROM workspaces w WHERE w.id = OLD.workspace_id;
  RETURN NULL;
END $$;

CREATE TRIGGER connections_keep_deleted AFTER DELETE ON connections
FOR EACH ROW EXECUTE FUNCTION keep_deleted_connection();
CREATE UNIQUE INDEX connections_one_default_key ON connections (workspace_id, workflow_app_id) WHERE is_default;
CREATE UNIQUE INDEX connections_workspace_id_slug_key ON connections (workspace_id, slug);
CREATE TRIGGER connections_give_slug BEFORE INSERT ON connections
FOR EACH ROW EXECUTE FUNCTION give_slug('workspace_id', 'true', 'connection');

-- Takes the same lock as give_slug: with a second lock, two writers could wait for each other.
CREATE FUNCTION default_connection_turn(p_workspace uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('connections ' || p_workspace, 0))
$$;

CREATE FUNCTION one_default_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM default_connection_turn(NEW.workspace_id);
  UPDATE connections SET is_default = false, updated_at = now()
  WHERE workspace_id = NEW.workspace_id AND workflow_app_id = NEW.workflow_app_id AND is_default AND id <> NEW.id;
  RETURN NEW;
END $$;

CREATE TRIGGER connections_one_default BEFORE INSERT OR UPDATE OF is_default ON connections
FOR EACH ROW WHEN (NEW.is_default) EXECUTE FUNCTION one_default_connection();

-- The users, API keys or roles that see and use a managed connection. A deleted one matches nobody.
CREATE TABLE connection_assignments (
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  subject_type text NOT NULL CHECK (subject_type IN ('user', 'apiKey', 'role')),
  subject_id text NOT NULL,
  PRIMARY KEY (connection_id, subject_type, subject_id)
);

-- Authorizations in progress in a browser, by the hash of the state. `sealed` holds the connection to store.
CREATE TABLE connection_authorizations (
  state_hash bytea PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  ticket_hash bytea NOT NULL,
  browser_hash bytea,
  sealed bytea NOT NULL,
  key_id text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX connection_authorizations_ticket_hash_key ON connection_authorizations (ticket_hash);
CREATE INDEX connection_authorizations_workspace_id_idx ON connection_authorizations (workspace_id);
CREATE INDEX connection_authorizations_expires_at_idx ON connection_authorizations (expires_at);

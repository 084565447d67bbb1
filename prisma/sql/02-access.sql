-- API keys, and what is noted of requests.

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  key_hash bytea NOT NULL,
  prefix text NOT NULL,
  permissions text[] NOT NULL,
  -- The user who created it, also through one of their keys. NULL: the operator, or a key of the operator.
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  -- The operator's key that created it, also indirectly through other keys.
  made_by_api_key_id uuid REFERENCES api_keys ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  -- The latest rotation: the previous key and when it expires.
  rotation_id uuid,
  previous_key_hash bytea,
  previous_valid_until timestamptz(3)
);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (key_hash);
CREATE INDEX api_keys_previous_key_hash_idx ON api_keys (previous_key_hash);
CREATE INDEX api_keys_workspace_id_idx ON api_keys (workspace_id);
CREATE INDEX api_keys_made_by_api_key_id_idx ON api_keys (made_by_api_key_id);

-- The creator of a key, or the key itself if the operator created it, so that nobody counts twice.
CREATE FUNCTION person_of(p_type text, p_id uuid) RETURNS uuid STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN p_type = 'user' THEN p_id ELSE (
    SELECT COALESCE(k.created_by_user_id, k.made_by_api_key_id, k.id) FROM api_keys k WHERE k.id = p_id) END
$$;

-- For a step, those who started its execution. Evaluated with the change: execution or key may be deleted later.
CREATE FUNCTION starters_of_change(p_workspace uuid, p_type text, p_id uuid) RETURNS uuid[] STABLE LANGUAGE plpgsql AS $$
BEGIN
  IF p_type = 'execution' THEN
    RETURN coalesce((SELECT e.starters FROM executions e WHERE e.id = p_id AND e.workspace_id = p_workspace), '{}');
  END IF;
  RETURN array_remove(ARRAY[person_of(p_type, p_id)], NULL);
END $$;

-- A caller lost permissions, or a key its secret. Ordinary requests, such as the last use of a key, do not notify.
CREATE FUNCTION tell_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('perdure_access', OLD.workspace_id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_tell_access AFTER DELETE OR UPDATE OF permissions, expires_at, revoked_at, key_hash ON api_keys
  FOR EACH ROW EXECUTE FUNCTION tell_access();
CREATE TRIGGER sessions_tell_access AFTER DELETE OR UPDATE OF expires_at, revoked_at ON sessions
  FOR EACH ROW EXECUTE FUNCTION tell_access();
CREATE TRIGGER workspace_users_tell_access AFTER DELETE OR UPDATE OF role ON workspace_users
  FOR EACH ROW EXECUTE FUNCTION tell_access();

-- No foreign key for `resource_id`: the id is chosen before the resource exists.
CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  operation text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  resource_id uuid NOT NULL,
  status integer,
  answer jsonb,
  sealed_body bytea,
  key_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  locked_until timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, operation, key)
);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

-- The audit log. No foreign keys: entries outlive actor and resource, and a lookup would cost each write.
CREATE TABLE audit_entries (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now(),
  actor_type text,
  actor_id uuid,
  action text NOT NULL,
  resource_type text NOT NULL,
  resource_id text,
  -- The name at that time: the resource may have been renamed or deleted since.
  resource_name text,
  outcome text NOT NULL,
  address text NOT NULL,
  request_id text NOT NULL
);
CREATE INDEX audit_entries_workspace_id_at_id_idx ON audit_entries (workspace_id, at DESC, id DESC);

-- NULL without a name, or in another workspace. PL/pgSQL, because its tables are created later.
CREATE FUNCTION audited_name(p_workspace uuid, p_type text, p_id text) RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE v_id uuid;
BEGIN
  IF p_id IS NULL OR p_id !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN RETURN NULL; END IF;
  v_id := p_id::uuid;
  RETURN CASE p_type
    WHEN 'workspaceUser' THEN coalesce(
      (SELECT u.email FROM workspace_users m JOIN users u ON u.id = m.user_id
        WHERE m.workspace_id = p_workspace AND m.user_id = v_id),
      (SELECT i.email FROM invitations i WHERE i.id = v_id AND i.workspace_id = p_workspace))
    WHEN 'apiKey' THEN (SELECT t.name FROM api_keys t WHERE t.id = v_id AND t.workspace_id = p_workspace)
    WHEN 'project' THEN (SELECT t.name FROM projects t WHERE t.id = v_id AND t.workspace_id = p_workspace)
    WHEN 'workflow' THEN (SELECT t.name FROM workflows t WHERE t.id = v_id AND t.workspace_id = p_workspace)
    WHEN 'variable' THEN (SELECT t.name FROM variables t WHERE t.id = v_id AND t.workspace_id = p_workspace)
    WHEN 'connection' THEN (SELECT t.name FROM connections t WHERE t.id = v_id AND t.workspace_id = p_workspace)
    WHEN 'queue' THEN (SELECT t.name FROM queues t WHERE t.id = v_id AND t.workspace_id = p_workspace)
    WHEN 'agent' THEN (SELECT t.name FROM agents t WHERE t.id = v_id AND t.workspace_id = p_workspace)
    WHEN 'knowledge' THEN (SELECT t.name FROM knowledge_bases t WHERE t.id = v_id AND t.workspace_id = p_workspace)
    WHEN 'objectType' THEN (SELECT t.name FROM object_types t WHERE t.id = v_id AND t.workspace_id = p_workspace)
    WHEN 'app' THEN (SELECT t.name FROM apps t WHERE t.id = v_id AND t.workspace_id = p_workspace)
  END;
END $$;

-- Mails that the SMTP server has not accepted yet, sealed, because address and link are not stored elsewhere.
CREATE TABLE outgoing_mails (
  id uuid PRIMARY KEY,
  sealed bytea NOT NULL,
  key_id text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX outgoing_mails_next_attempt_at_idx ON outgoing_mails (next_attempt_at);
CREATE INDEX outgoing_mails_expires_at_idx ON outgoing_mails (expires_at);

-- Generated from prisma/sql by `npm run migration`: change the files there.

-- 00-shared.sql
-- Functions that several nouns use.

-- Background duties are sharded by buckets (0 to 63, domain/buckets.ts). The last byte is random in every UUID version.
CREATE FUNCTION workspace_bucket(p_workspace uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT get_byte(uuid_send(p_workspace), 15) & 63
$$;

-- A UUIDv7 of the transaction's time, for statements that insert a row per row of a set.
CREATE FUNCTION uuid_v7_of_now() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM now()::timestamptz(3)) * 1000)::bigint), 12, '0')
    || '7' || substr(gen_random_uuid()::text, 16))::uuid
$$;

-- ASCII letters and digits, anything else as one hyphen; at most 55 characters, which leaves room for a number.
CREATE FUNCTION slug_of(p_name text, p_otherwise text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(nullif(trim(BOTH '-_' FROM left(trim(BOTH '-_' FROM regexp_replace(
    regexp_replace(normalize(lower(p_name), NFKD), '[\u0300-\u036f]+', '', 'g'), '[^a-z0-9_]+', '-', 'g')), 55)), ''),
    p_otherwise)
$$;

-- TG_ARGV: the column within which slugs are unique, the condition of that index, and the slug of a name without
-- letters. The lock makes rows with the same name take turns.
CREATE FUNCTION give_slug() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_base text;
  v_scope uuid;
  v_taken text[];
BEGIN
  IF NEW.slug IS NOT NULL THEN RETURN NEW; END IF;
  v_base := slug_of(NEW.name, TG_ARGV[2]);
  v_scope := (to_jsonb(NEW) ->> TG_ARGV[0])::uuid;
  PERFORM pg_advisory_xact_lock(hashtextextended(TG_TABLE_NAME || ' ' || v_scope, 0));
  EXECUTE format('SELECT array_agg(slug) FROM %I WHERE %I = $1 AND %s AND (slug = $2 OR slug LIKE $3)',
    TG_TABLE_NAME, TG_ARGV[0], TG_ARGV[1]) INTO v_taken
    USING v_scope, v_base, replace(v_base, '_', '\_') || '-%';
  NEW.slug := CASE WHEN v_taken IS NULL OR NOT v_base = ANY (v_taken) THEN v_base ELSE (
    SELECT v_base || '-' || n FROM generate_series(2, cardinality(v_taken) + 2) n
    WHERE NOT v_base || '-' || n = ANY (v_taken) ORDER BY n LIMIT 1) END;
  RETURN NEW;
END $$;

-- For ETags (prisma/store/rowTag.ts): of two writers that read the same state, only one finds it unchanged.

CREATE FUNCTION count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;

-- Each cluster numbers its transactions from the start. After a restore into a new one, old cursors would miss changes.
CREATE TABLE database_systems (
  ordinal integer PRIMARY KEY,
  identifier bigint NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT now()
);

-- Puts this cluster's transaction numbers above those of earlier clusters. One of the first writers inserts its row.
CREATE FUNCTION transactions_before() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_here bigint := 0;
  v_last database_systems;
BEGIN
  -- If the role may not read the identifier, all clusters count as one.
  IF has_function_privilege('pg_control_system()'::regprocedure, 'EXECUTE') THEN
    SELECT c.system_identifier INTO v_here FROM pg_control_system() c;
  END IF;
  LOOP
    SELECT * INTO v_last FROM database_systems s ORDER BY s.ordinal DESC LIMIT 1;
    IF v_last.identifier = v_here THEN RETURN v_last.ordinal::bigint << 48; END IF;
    INSERT INTO database_systems (ordinal, identifier) VALUES (coalesce(v_last.ordinal + 1, 0), v_here)
    ON CONFLICT DO NOTHING;
  END LOOP;
END $$;

-- 01-people.sql
-- Workspaces, people and how they log in.

CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  execution_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  -- NULL: the user signs in by single sign-on or e-mail only.
  password_hash text,
  -- The workspace that entered the address, until the user proves to own it or the operator confirms it.
  invited_by_workspace_id uuid REFERENCES workspaces ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE workspace_users (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX workspace_users_user_id_idx ON workspace_users (user_id);

-- The foreign key ends the sessions of removed members.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  -- The first session of the login. One login may have sessions in several workspaces; logging out ends all of them.
  login_id uuid NOT NULL,
  network text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Time of the latest access token: the session ends after SESSION_IDLE_TIMEOUT without one.
  refreshed_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  -- Latest proof of identity in this login: password, code or single sign-on. NULL: the user came through a link.
  proved_at timestamptz(3),
  FOREIGN KEY (workspace_id, user_id) REFERENCES workspace_users ON DELETE CASCADE
);
CREATE INDEX sessions_workspace_id_user_id_idx ON sessions (workspace_id, user_id);
CREATE INDEX sessions_login_id_idx ON sessions (login_id);
CREATE INDEX sessions_user_id_network_idx ON sessions (user_id, network);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

CREATE TABLE login_failures (
  id uuid PRIMARY KEY,
  subject text NOT NULL,
  failed_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX login_failures_subject_failed_at_idx ON login_failures (subject, failed_at);

-- Returns the seconds until the subject has fewer than `p_most` entries in the window; NULL if it already has fewer.
CREATE FUNCTION login_block(p_subject text, p_most integer, p_window interval) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT greatest(1, ceil(extract(epoch FROM failed_at + p_window - now())))::int FROM login_failures
  WHERE subject = p_subject AND failed_at > now() - p_window
  ORDER BY failed_at DESC OFFSET p_most - 1 LIMIT 1
$$;

-- If a subject has reached its maximum, counts nothing and returns the seconds to wait. Attempts of one take turns.
CREATE FUNCTION count_login_tries(p_ids uuid[], p_subjects text[], p_most integer[], p_window interval) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_seconds integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(s.subject, 0)) FROM (SELECT unnest(p_subjects) AS subject ORDER BY 1) s;
  SELECT max(login_block(s.subject, s.most, p_window)) INTO v_seconds FROM unnest(p_subjects, p_most) AS s(subject, most);
  IF v_seconds IS NULL THEN
    INSERT INTO login_failures (id, subject) SELECT * FROM unnest(p_ids, p_subjects);
  END IF;
  RETURN v_seconds;
END $$;

-- It counts once the user has entered a first code.
CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret bytea NOT NULL,
  key_id text NOT NULL,
  confirmed_at timestamptz(3),
  -- The newest used code, in units of 30 s since 1970: neither it nor an older one is accepted again.
  last_step integer NOT NULL DEFAULT 0
);

CREATE TABLE backup_codes (
  user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE pending_logins (
  token_hash bytea PRIMARY KEY,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  -- The first factor was the password, not a link.
  is_proof boolean NOT NULL DEFAULT false,
  expires_at timestamptz(3) NOT NULL,
  FOREIGN KEY (workspace_id, user_id) REFERENCES workspace_users ON DELETE CASCADE
);
CREATE INDEX pending_logins_workspace_id_user_id_idx ON pending_logins (workspace_id, user_id);
CREATE INDEX pending_logins_expires_at_idx ON pending_logins (expires_at);

-- Memberships not accepted yet. They name an address: whether the user exists is checked on acceptance.
CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  email text NOT NULL,
  -- As typed by the inviter.
  name text NOT NULL,
  role text NOT NULL,
  invited_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  -- NULL: the user accepts it in their account, or signs in by single sign-on.
  token_hash bytea,
  -- The token was sent by e-mail only, so its bearer reads the mail of the address.
  proves_email boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- NULL: a membership from before the address was proved; the user has to accept it.
  expires_at timestamptz(3)
);
CREATE UNIQUE INDEX invitations_workspace_id_email_key ON invitations (workspace_id, email);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE INDEX invitations_email_idx ON invitations (email);
CREATE INDEX invitations_invited_by_user_id_idx ON invitations (invited_by_user_id);

CREATE TABLE login_tokens (
  token_hash bytea PRIMARY KEY,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  asks_second_factor boolean NOT NULL,
  -- It was sent by e-mail, so its bearer reads the mail of the address.
  proves_email boolean NOT NULL DEFAULT false,
  expires_at timestamptz(3) NOT NULL,
  FOREIGN KEY (workspace_id, user_id) REFERENCES workspace_users ON DELETE CASCADE
);
CREATE INDEX login_tokens_workspace_id_user_id_idx ON login_tokens (workspace_id, user_id);
CREATE INDEX login_tokens_expires_at_idx ON login_tokens (expires_at);

-- Logins in progress at an identity provider, each bound to the browser that started it.
CREATE TABLE sso_logins (
  state_hash bytea PRIMARY KEY,
  provider_id text NOT NULL,
  browser_hash bytea NOT NULL,
  nonce text NOT NULL,
  code_verifier bytea NOT NULL,
  key_id text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sso_logins_expires_at_idx ON sso_logins (expires_at);

-- The identity of a user at a provider since the first login, independent of the e-mail address.
CREATE TABLE identities (
  provider_id text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, issuer, subject)
);
CREATE INDEX identities_user_id_idx ON identities (user_id);

-- The only way in which an address is assigned to a user. `p_named_by`: the workspace that entered it; NULL if it is
-- proved or the operator vouches for it. A user with an unproved address is taken over, by a proof or by that
-- workspace: all earlier credentials are void, and memberships outside p_workspace_id become invitations (NULL: they
-- stay). With `p_id` NULL no user is created. `claim` is new, takenOver or known; no row: there is no such user.
CREATE FUNCTION claim_address(p_email text, p_id uuid, p_name text, p_password_hash text, p_named_by uuid, p_workspace_id uuid)
RETURNS TABLE (person_id uuid, claim text) LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  IF p_id IS NOT NULL THEN
    INSERT INTO users (id, email, name, password_hash, invited_by_workspace_id)
    VALUES (p_id, p_email, p_name, p_password_hash, p_named_by)
    ON CONFLICT DO NOTHING RETURNING id INTO v_id;
    IF v_id IS NOT NULL THEN
      RETURN QUERY SELECT v_id, 'new'::text;
      RETURN;
    END IF;
  END IF;
  UPDATE users SET invited_by_workspace_id = p_named_by, password_hash = p_password_hash, name = COALESCE(p_name, name)
  WHERE email = p_email AND invited_by_workspace_id IS NOT NULL
    AND (p_named_by IS NULL OR invited_by_workspace_id = p_named_by)
  RETURNING id INTO v_id;
  IF v_id IS NULL THEN
    RETURN QUERY SELECT id, 'known'::text FROM users WHERE email = p_email;
    RETURN;
  END IF;
  -- These statements run after the user's row is locked, so they find logins that began before.
  DELETE FROM sessions WHERE user_id = v_id;
  DELETE FROM pending_logins WHERE user_id = v_id;
  DELETE FROM login_tokens WHERE user_id = v_id;
  DELETE FROM second_factors WHERE user_id = v_id;
  UPDATE api_keys SET revoked_at = now() WHERE created_by_user_id = v_id AND revoked_at IS NULL;
  IF p_workspace_id IS NOT NULL THEN
    DELETE FROM share_grants WHERE user_id = v_id AND workspace_id <> p_workspace_id;
    WITH left_places AS (
      DELETE FROM workspace_users WHERE user_id = v_id AND workspace_id <> p_workspace_id RETURNING workspace_id, role
    )
    -- The invitation takes the user's id, by which the workspace knows its former member.
    INSERT INTO invitations (id, workspace_id, email, name, role)
    SELECT v_id, left_places.workspace_id, p_email, users.name, left_places.role
    FROM left_places JOIN users ON users.id = v_id
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN QUERY SELECT v_id, 'takenOver'::text;
END $$;

-- 02-access.sql
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

-- 03-projects.sql
-- Projects and variables.

CREATE TABLE projects (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  slug text,
  description text,
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  -- The request that last applied a bundle, and its answer for repetitions of that request.
  last_apply_id uuid,
  last_apply json,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX projects_workspace_id_updated_at_id_idx ON projects (workspace_id, updated_at DESC, id DESC);
CREATE UNIQUE INDEX projects_workspace_id_slug_key ON projects (workspace_id, slug);
CREATE TRIGGER projects_give_slug BEFORE INSERT ON projects
FOR EACH ROW EXECUTE FUNCTION give_slug('workspace_id', 'true', 'project');

CREATE TABLE variables (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  project_id uuid REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  -- For a secret, `{" secret": <its id>}`, which executions store instead; the value itself is in `sealed`.
  value jsonb NOT NULL,
  is_secret boolean NOT NULL DEFAULT false,
  sealed bytea,
  key_id text,
  description text,
  revision integer NOT NULL DEFAULT 1,
  applied_project_id uuid,
  applied_owner text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT variables_sealed_check CHECK (is_secret = (sealed IS NOT NULL) AND is_secret = (key_id IS NOT NULL))
);
CREATE INDEX variables_workspace_id_updated_at_id_idx ON variables (workspace_id, updated_at DESC, id DESC);
-- One name per scope. Prisma cannot express NULLS NOT DISTINCT, so the nil id represents the workspace.
CREATE UNIQUE INDEX variables_scope_name_key
  ON variables (workspace_id, COALESCE(project_id, '00000000-0000-0000-0000-000000000000'), name);

CREATE TRIGGER variables_count_revision BEFORE UPDATE ON variables FOR EACH ROW EXECUTE FUNCTION count_revision();

-- 04-connections.sql
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

-- 05-entities.sql
-- Entities.

-- json keeps the order of members for templates. `version` counts changes of the rules and announcements: a write of an
-- entity names the one of its check and holds the row FOR SHARE. `next_rules` are announced while entities are checked.
CREATE TABLE object_types (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  attribute_schema json,
  state_schema json,
  allow_unknown_attributes boolean NOT NULL DEFAULT false,
  is_enabled boolean NOT NULL DEFAULT true,
  managed_by_code boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  next_rules json,
  next_id uuid,
  next_until timestamptz(3),
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  revision integer NOT NULL DEFAULT 1,
  applied_project_id uuid,
  applied_owner text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX object_types_workspace_id_slug_key ON object_types (workspace_id, slug);
CREATE INDEX object_types_workspace_id_name_id_idx ON object_types (workspace_id, name, id);

CREATE TABLE objects (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  object_type_id uuid NOT NULL REFERENCES object_types ON DELETE CASCADE,
  name text NOT NULL,
  state text,
  attributes jsonb NOT NULL,
  owner_user_id uuid REFERENCES users ON DELETE SET NULL,
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  -- For optimistic concurrency: a write that was checked against a read fails if the row has been written since.
  revision integer NOT NULL DEFAULT 1,
  -- The persons behind the latest write, for object_changes.
  starters uuid[] NOT NULL DEFAULT '{}',
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX objects_object_type_id_id_idx ON objects (object_type_id, id);
-- Lists. The workspace comes first, so that totals need no rows. Ascending order is cheaper for imports.
CREATE INDEX objects_recent_idx ON objects (workspace_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX objects_recent_of_type_idx ON objects (workspace_id, object_type_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX objects_deleted_idx ON objects (workspace_id, updated_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX objects_in_state_idx ON objects (workspace_id, object_type_id, state, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX objects_by_name_idx ON objects (workspace_id, object_type_id, name, id) WHERE deleted_at IS NULL;
CREATE INDEX objects_by_creation_idx ON objects (workspace_id, object_type_id, created_at, id) WHERE deleted_at IS NULL;
-- Includes deleted entities, as imports need. Each search reads the pending list, which by default grows to 4 MB.
CREATE INDEX objects_attributes_idx ON objects USING gin (attributes jsonb_path_ops) WITH (gin_pending_list_limit = 64);
-- Few entities have an owner; deleting a user looks them up.
CREATE INDEX objects_owner_idx ON objects (owner_user_id) WHERE owner_user_id IS NOT NULL;

-- Without pg_trgm, searches by name read every entity. The role or the server may lack the extension.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX objects_search_idx ON objects USING gin (name gin_trgm_ops) WHERE deleted_at IS NULL;
EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
  RAISE NOTICE 'pg_trgm is not there: searches of entities have no index. Create the extension, then the index objects_search_idx as the migration does.';
END $$;

-- The rows of an import whose value (p_by_name, p_attribute) another entity has by now. During an import Postgres
-- underestimates a type's entities: so names are looked up at once, attributes before the type (OFFSET 0).
CREATE FUNCTION taken_import_rows(
  p_workspace uuid, p_type uuid, p_by_name boolean, p_attribute text, p_ids uuid[], p_names text[], p_attributes jsonb[]
) RETURNS uuid[] LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF p_by_name THEN
    RETURN (
      WITH found AS MATERIALIZED (
        SELECT o.id, o.name FROM objects o WHERE o.workspace_id = p_workspace AND o.object_type_id = p_type
          AND o.deleted_at IS NULL AND o.name = ANY (p_names)
      )
      SELECT coalesce(array_agg(r.id), '{}') FROM unnest(p_ids, p_names) AS r(id, name)
      WHERE EXISTS (SELECT FROM found o WHERE o.name = r.name AND o.id <> r.id));
  END IF;
  RETURN (
    SELECT coalesce(array_agg(r.id), '{}') FROM unnest(p_ids, p_attributes) AS r(id, attributes)
    WHERE r.attributes -> p_attribute NOT IN ('null', '""') AND EXISTS (
      SELECT FROM (
        SELECT o.* FROM objects o WHERE o.attributes @> jsonb_build_object(p_attribute, r.attributes -> p_attribute) OFFSET 0
      ) o
      WHERE o.workspace_id = p_workspace AND o.object_type_id = p_type AND o.deleted_at IS NULL
        AND o.attributes -> p_attribute = r.attributes -> p_attribute AND o.id <> r.id));
END $$;

-- Inserts entities of an import (importBatch.ts) if the type still has the rules of their check; NULL if not. Returns
-- the rows that were left out because another entity has their value by now; all others exist, possibly from an earlier
-- try. Writes may repeat values, so instead of a unique index, imports by one type and field take turns. One array per
-- column is read twice as fast as one jsonb.
CREATE FUNCTION import_objects(
  p_workspace uuid, p_type uuid, p_version integer, p_by_name boolean, p_attribute text,
  p_ids uuid[], p_names text[], p_states text[], p_attributes jsonb[], p_owners uuid[], p_user uuid, p_starters uuid[]
) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_matches boolean := p_by_name OR p_attribute IS NOT NULL;
  v_taken uuid[] := '{}';
BEGIN
  IF v_matches THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(p_type || ' ' || coalesce(p_attribute, ''), 0));
  END IF;
  PERFORM FROM object_types y WHERE y.id = p_type AND y.version = p_version FOR SHARE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF v_matches THEN
    v_taken := taken_import_rows(p_workspace, p_type, p_by_name, p_attribute, p_ids, p_names, p_attributes);
  END IF;
  INSERT INTO objects (id, workspace_id, object_type_id, name, state, attributes, owner_user_id, created_by_user_id, starters)
  SELECT r.id, p_workspace, p_type, r.name, r.state, r.attributes, r.owner_id, p_user, p_starters
  FROM unnest(p_ids, p_names, p_states, p_attributes, p_owners) AS r(id, name, state, attributes, owner_id)
  WHERE r.id <> ALL (v_taken) ON CONFLICT ON CONSTRAINT objects_pkey DO NOTHING;
  RETURN v_taken;
END $$;

-- Each move of an entity, by its new revision. No foreign key for the author, who may be deleted.
CREATE TABLE object_state_changes (
  object_id uuid NOT NULL REFERENCES objects ON DELETE CASCADE,
  revision integer NOT NULL,
  id uuid NOT NULL,
  from_state text,
  to_state text NOT NULL,
  reason text,
  changed_by_type text NOT NULL,
  changed_by_id uuid NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (object_id, revision)
);
CREATE INDEX object_state_changes_changed_at_id_idx ON object_state_changes (changed_at, id);

-- The outbox of entity changes. A reader continues by transaction and id up to the oldest running transaction, so that
-- no change appears behind its cursor. No foreign keys: a change outlives its entity, and lookups cost.
CREATE TABLE object_changes (
  id bigserial PRIMARY KEY,
  workspace_id uuid NOT NULL,
  object_id uuid NOT NULL,
  object_type_id uuid NOT NULL,
  revision integer NOT NULL,
  kind text NOT NULL,
  from_state text,
  to_state text,
  -- The persons behind it.
  starters uuid[] NOT NULL DEFAULT '{}',
  transaction_id bigint NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX object_changes_workspace_id_transaction_id_id_idx ON object_changes (workspace_id, transaction_id, id);

-- Per statement, because imports write a thousand rows at once.
CREATE FUNCTION note_object_creations() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_transaction bigint := transactions_before() + pg_current_xact_id()::text::bigint;
BEGIN
  INSERT INTO object_changes (workspace_id, object_id, object_type_id, revision, kind, to_state, starters, transaction_id)
  SELECT n.workspace_id, n.id, n.object_type_id, n.revision, 'created', n.state, n.starters, v_transaction
  FROM made n;
  RETURN NULL;
END $$;

CREATE TRIGGER objects_note_creations AFTER INSERT ON objects REFERENCING NEW TABLE AS made
FOR EACH STATEMENT EXECUTE FUNCTION note_object_creations();

CREATE FUNCTION note_object_changes() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_transaction bigint := transactions_before() + pg_current_xact_id()::text::bigint;
BEGIN
  INSERT INTO object_changes (workspace_id, object_id, object_type_id, revision, kind, from_state, to_state, starters,
    transaction_id)
  SELECT n.workspace_id, n.id, n.object_type_id, n.revision,
    CASE WHEN n.deleted_at IS NOT NULL AND o.deleted_at IS NULL THEN 'deleted'
      WHEN n.deleted_at IS NULL AND o.deleted_at IS NOT NULL THEN 'restored'
      WHEN n.state IS DISTINCT FROM o.state THEN 'stateChanged'
      ELSE 'updated' END,
    o.state, n.state, n.starters, v_transaction
  -- FULL JOIN with a null-safe condition, for the reason in queue_items_updated.
  FROM after_it n FULL JOIN before_it o ON o.id = n.id WHERE n.revision IS DISTINCT FROM o.revision;
  RETURN NULL;
END $$;

CREATE TRIGGER objects_note_changes AFTER UPDATE ON objects
REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it
FOR EACH STATEMENT EXECUTE FUNCTION note_object_changes();

CREATE FUNCTION forget_object_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM object_changes c WHERE c.workspace_id = OLD.id;
  RETURN NULL;
END $$;

CREATE TRIGGER workspaces_forget_object_changes AFTER DELETE ON workspaces
FOR EACH ROW EXECUTE FUNCTION forget_object_changes();

CREATE TRIGGER object_types_count_revision BEFORE UPDATE ON object_types FOR EACH ROW EXECUTE FUNCTION count_revision();

-- 06-operation.sql
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

-- 07-workflows.sql
-- Workflows and their triggers.

CREATE TABLE workflows (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  is_active boolean NOT NULL DEFAULT true,
  is_internal boolean NOT NULL DEFAULT false,
  is_paused boolean NOT NULL DEFAULT false,
  managed_by_code boolean NOT NULL DEFAULT true,
  applied_owner text,
  orientation text NOT NULL DEFAULT 'horizontal',
  -- The newest version; none until the first draft is published.
  version_id uuid,
  version integer NOT NULL DEFAULT 0,
  timeout_ms bigint CHECK (timeout_ms BETWEEN 1 AND 31536000000),
  max_concurrent integer CHECK (max_concurrent BETWEEN 1 AND 1000),
  -- {name?, description}: a tool of the MCP server.
  expose_as_tool jsonb,
  -- Deferrable, because two workflows of a bundle may name each other.
  on_failure_workflow_id uuid REFERENCES workflows ON DELETE RESTRICT DEFERRABLE,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((version_id IS NULL) = (version = 0))
);
CREATE UNIQUE INDEX workflows_project_id_slug_key ON workflows (project_id, slug);
CREATE INDEX workflows_workspace_id_updated_at_id_idx ON workflows (workspace_id, updated_at DESC, id DESC);
-- Few workflows are; each list and call of tools reads all of the workspace.
CREATE INDEX workflows_exposed_idx ON workflows (workspace_id) WHERE expose_as_tool IS NOT NULL;
-- Few workflows have one; a deletion searches for workflows that name it.
CREATE INDEX workflows_on_failure_idx ON workflows (on_failure_workflow_id) WHERE on_failure_workflow_id IS NOT NULL;
-- The error workflow of the project's workflows that name none.
ALTER TABLE projects ADD COLUMN on_failure_workflow_id uuid REFERENCES workflows ON DELETE RESTRICT;
CREATE INDEX projects_on_failure_idx ON projects (on_failure_workflow_id) WHERE on_failure_workflow_id IS NOT NULL;

-- The list of tools of the workspace has changed.
CREATE FUNCTION tell_tools() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('perdure_tools', coalesce(NEW.workspace_id, OLD.workspace_id)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER workflows_tell_new_tool AFTER INSERT ON workflows FOR EACH ROW
WHEN (NEW.expose_as_tool IS NOT NULL) EXECUTE FUNCTION tell_tools();
CREATE TRIGGER workflows_tell_tools AFTER UPDATE ON workflows FOR EACH ROW
WHEN (num_nonnulls(OLD.expose_as_tool, NEW.expose_as_tool) > 0
  AND (OLD.expose_as_tool, OLD.is_active, OLD.version_id, OLD.slug, OLD.name)
    IS DISTINCT FROM (NEW.expose_as_tool, NEW.is_active, NEW.version_id, NEW.slug, NEW.name))
EXECUTE FUNCTION tell_tools();
CREATE TRIGGER workflows_tell_lost_tool AFTER DELETE ON workflows FOR EACH ROW
WHEN (OLD.expose_as_tool IS NOT NULL) EXECUTE FUNCTION tell_tools();

-- No foreign key to the workflow: a version outlives it while executions refer to it (deleted_workflows).
CREATE TABLE workflow_versions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  workflow_id uuid NOT NULL,
  version integer NOT NULL,
  definition jsonb NOT NULL,
  hash bytea NOT NULL,
  -- References: `connection/<id>`, `workflow@<slug>` (domain/reference/namedBy.ts).
  named text[] NOT NULL DEFAULT '{}',
  -- Readable without the definition, which may be long.
  trigger_type text GENERATED ALWAYS AS (definition #>> '{trigger,type}') STORED,
  -- The author: user or apiKey, and its id. No foreign key, because the version outlives them.
  created_by_type text,
  created_by_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX workflow_versions_named_idx ON workflow_versions USING gin (named);
CREATE INDEX workflow_versions_workspace_id_idx ON workflow_versions (workspace_id);
CREATE UNIQUE INDEX workflow_versions_workflow_id_version_key ON workflow_versions (workflow_id, version);
-- A foreign key to both columns guarantees that version and workflow match.
CREATE UNIQUE INDEX workflow_versions_workflow_id_id_key ON workflow_versions (workflow_id, id);
-- Each names the other; one statement writes both.
ALTER TABLE workflows ADD FOREIGN KEY (id, version_id) REFERENCES workflow_versions (workflow_id, id)
  ON DELETE RESTRICT;

-- Only drafts are made without a slug.
CREATE TRIGGER workflows_give_slug BEFORE INSERT ON workflows
FOR EACH ROW EXECUTE FUNCTION give_slug('project_id', 'true', 'workflow');

-- The next version of a workflow as people work on it: the body of an upsert, whose definition may have problems.
CREATE TABLE workflow_drafts (
  workflow_id uuid PRIMARY KEY REFERENCES workflows ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  body jsonb NOT NULL,
  -- The newest version when the draft was begun.
  base_version integer NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  -- The last author: user or apiKey, and its id. No foreign key, because the draft outlives them.
  updated_by_type text,
  updated_by_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE TRIGGER workflow_drafts_count_revision BEFORE UPDATE ON workflow_drafts
FOR EACH ROW EXECUTE FUNCTION count_revision();

-- The needs of a deleted workflow's executions: name, limits, error workflow (no foreign key: it may be deleted).
CREATE TABLE deleted_workflows (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  orientation text NOT NULL,
  timeout_ms bigint,
  max_concurrent integer,
  on_failure_workflow_id uuid,
  deleted_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX deleted_workflows_deleted_at_id_idx ON deleted_workflows (deleted_at, id);

CREATE FUNCTION keep_deleted_workflow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_workflows (id, workspace_id, name, orientation, timeout_ms, max_concurrent, on_failure_workflow_id)
  SELECT OLD.id, w.id, OLD.name, OLD.orientation, OLD.timeout_ms, OLD.max_concurrent, OLD.on_failure_workflow_id
  -- With its workspace all of it is deleted.
  FROM workspaces w WHERE w.id = OLD.workspace_id;
  RETURN NULL;
END $$;

CREATE TRIGGER workflows_keep_deleted AFTER DELETE ON workflows
FOR EACH ROW EXECUTE FUNCTION keep_deleted_workflow();

-- As wanted and as delivered to the engine. No foreign key: a row stays until the engine has deleted the schedule.
CREATE TABLE workflow_schedules (
  workflow_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  revision bigint NOT NULL DEFAULT 1,
  applied_revision bigint NOT NULL DEFAULT 0,
  applied text,
  claimed_until timestamptz(3) NOT NULL DEFAULT now(),
  checked_at timestamptz(3) NOT NULL DEFAULT now(),
  error text,
  -- The transaction that activated the trigger or changed its source. Polls of entity changes begin here.
  since_transaction bigint NOT NULL DEFAULT 0
);
CREATE INDEX workflow_schedules_checked_at_idx ON workflow_schedules (checked_at);
-- For the reconciler: schedules that differ from the engine.
CREATE INDEX workflow_schedules_stale_idx ON workflow_schedules (claimed_until) WHERE revision <> applied_revision;

-- The state of poll triggers.
CREATE TABLE poll_storage (
  workflow_id uuid PRIMARY KEY REFERENCES workflows ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  source text,
  cursor jsonb,
  last_polled_at timestamptz(3),
  last_error jsonb,
  not_before timestamptz(3),
  -- The engine's workflow of the latest poll if it found nothing; the next poll removes it from the engine's list.
  idle_workflow_id text,
  idle_run_id text
);

CREATE TABLE poll_seen_keys (
  workflow_id uuid NOT NULL REFERENCES workflows ON DELETE CASCADE,
  source text NOT NULL,
  key_hash text NOT NULL,
  ordinal bigserial NOT NULL,
  PRIMARY KEY (workflow_id, source, key_hash)
);
CREATE INDEX poll_seen_keys_workflow_id_ordinal_idx ON poll_seen_keys (workflow_id, ordinal);

-- Within the period of `duplicates`. No foreign key: the key is claimed before the execution exists.
CREATE TABLE webhook_deliveries (
  workspace_id uuid NOT NULL,
  workflow_id uuid NOT NULL REFERENCES workflows ON DELETE CASCADE,
  key_hash bytea NOT NULL,
  execution_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workflow_id, key_hash)
);
CREATE INDEX webhook_deliveries_expires_at_idx ON webhook_deliveries (expires_at);
-- Retention keeps an execution while a delivery names it.
CREATE INDEX webhook_deliveries_execution_id_idx ON webhook_deliveries (execution_id);

-- Passes input and answer of a node test around histories. Its caller or the reconciler deletes the row.
CREATE TABLE node_tests (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  -- The definition of a version, or one that is not stored, with the project whose variables it reads.
  workflow_id uuid REFERENCES workflows ON DELETE CASCADE,
  version_id uuid,
  definition jsonb,
  project_id uuid,
  node_id text NOT NULL,
  request jsonb NOT NULL,
  answer jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CHECK ((definition IS NULL) <> (version_id IS NULL))
);
CREATE INDEX node_tests_expires_at_idx ON node_tests (expires_at);

-- Returns the trigger of a version without its polling interval.
CREATE FUNCTION trigger_source(p_version uuid) RETURNS jsonb STABLE LANGUAGE sql AS $$
  SELECT v.definition -> 'trigger' #- '{config,everyMs}' FROM workflow_versions v WHERE v.id = p_version
$$;

CREATE FUNCTION mark_workflow_schedule() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_since bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE workflow_schedules SET revision = revision + 1 WHERE workflow_id = OLD.id;
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' OR (NEW.is_active AND NOT OLD.is_active) OR (NEW.version_id IS DISTINCT FROM OLD.version_id
    AND trigger_source(NEW.version_id) IS DISTINCT FROM trigger_source(OLD.version_id)) THEN
    v_since := transactions_before() + pg_current_xact_id()::text::bigint;
  END IF;
  UPDATE workflow_schedules SET revision = revision + 1, since_transaction = coalesce(v_since, since_transaction)
  WHERE workflow_id = NEW.id;
  IF NOT FOUND AND trigger_source(NEW.version_id) #>> '{type}' IN ('schedule', 'poll') THEN
    INSERT INTO workflow_schedules (workflow_id, workspace_id, since_transaction)
    VALUES (NEW.id, NEW.workspace_id, coalesce(v_since, transactions_before() + pg_current_xact_id()::text::bigint))
    ON CONFLICT (workflow_id) DO UPDATE SET revision = workflow_schedules.revision + 1;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER workflows_mark_schedule AFTER INSERT OR UPDATE OR DELETE ON workflows
FOR EACH ROW EXECUTE FUNCTION mark_workflow_schedule();

CREATE TRIGGER workflows_count_revision BEFORE UPDATE ON workflows FOR EACH ROW EXECUTE FUNCTION count_revision();

-- 08-executions.sql
-- Executions.

CREATE TABLE executions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  project_id uuid,
  workflow_id uuid,
  version_id uuid,
  workflow_version integer,
  definition jsonb,
  number integer NOT NULL,
  name text NOT NULL,
  source text NOT NULL,
  is_internal boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'PENDING',
  status_message text,
  trigger jsonb NOT NULL,
  variables jsonb NOT NULL,
  output jsonb,
  -- Known without reading the values: above a limit a link is returned instead.
  output_bytes integer GENERATED ALWAYS AS (octet_length(output::text)) STORED,
  input_bytes integer GENERATED ALWAYS AS (octet_length(trigger::text) + octet_length(variables::text)) STORED,
  response jsonb,
  -- If it FAILED or TIMED_OUT: the code, and the innermost failed node if any.
  error_code text,
  failed_node_id text,
  -- Texts by key, for filters. NULL: not yet computed from the trigger; the engine gets the execution afterwards.
  labels jsonb DEFAULT '{}',
  revision integer NOT NULL DEFAULT 0,
  parent_execution_id uuid REFERENCES executions ON DELETE SET NULL,
  retry_of_id uuid REFERENCES executions ON DELETE SET NULL,
  -- The root of the tree of parents and retries, NULL for the root itself. It is kept until all others are gone.
  root_id uuid REFERENCES executions ON DELETE SET NULL,
  starter_id text,
  -- user, apiKey, webhook, schedule, poll, queue, agent, workflow, draft or retry. The id is that of a user or key.
  started_by_type text NOT NULL DEFAULT 'workflow',
  started_by_id uuid,
  -- The persons who started it, its parents and the executions that it retries: a question may exclude them.
  starters uuid[] NOT NULL DEFAULT '{}',
  initial_progress jsonb,
  -- For a retry with rows in loops_to_take_over: the rules of begin_take_over.
  take_over jsonb,
  -- For a retry: the first execution of its chain, from which all of them derive idempotency keys. It may be gone.
  lineage_id uuid,
  -- Becomes the status message. Not in the engine, whose histories contain no texts of people.
  cancel_reason text,
  -- At `end_due_at` the reconciler sends the requested end to the engine, until the engine has accepted it.
  end_requested text CHECK (end_requested IN ('cancel', 'terminate')),
  end_requested_at timestamptz(3),
  end_due_at timestamptz(3),
  request_id text,
  -- The traceparent of its trigger, followed by a space and the tracestate. NULL: its own trace, derived from its id.
  trace text CHECK (length(trace) <= 600),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  stopped_at timestamptz(3),
  reconciled_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Accepted, but not in the engine yet (a child's workflow is, and waits).
  held boolean NOT NULL DEFAULT false,
  released_at timestamptz(3),
  limited boolean NOT NULL DEFAULT false,
  -- Notifies without a follower: 'first', the first change that waits or ends; 'each', for a caller that waits.
  notice text NOT NULL DEFAULT 'first',
  -- Until then every change notifies, for a follower (engine/feeds/changeFeed.ts).
  followed_until timestamptz(3),
  -- A failure that a person or key has dealt with; the type is user or apiKey.
  acknowledged_at timestamptz(3),
  acknowledged_by_type text,
  acknowledged_by_id uuid,
  acknowledged_note text CHECK (length(acknowledged_note) <= 1000),
  -- Either its own definition or that of a version. An ad-hoc run has no workflow; an execution of a draft has one.
  CHECK ((definition IS NULL) <> (version_id IS NULL)),
  FOREIGN KEY (workflow_id, version_id) REFERENCES workflow_versions (workflow_id, id) ON DELETE RESTRICT
);
CREATE INDEX executions_workspace_id_started_at_id_idx ON executions (workspace_id, started_at DESC, id DESC);
CREATE INDEX executions_workflow_id_started_at_idx ON executions (workflow_id, started_at DESC);
-- Lists by status. Completed executions are the majority and are found by time.
CREATE INDEX executions_not_completed_idx ON executions (workspace_id, status, started_at DESC, id DESC)
  WHERE status <> 'COMPLETED';
-- The same for one workflow. Executions that complete are never written here.
CREATE INDEX executions_ended_badly_idx ON executions (workflow_id, status, started_at DESC, id DESC)
  WHERE status IN ('FAILED', 'CANCELLED', 'TIMED_OUT');
CREATE INDEX executions_error_code_idx ON executions (workspace_id, error_code, started_at DESC, id DESC)
  WHERE error_code IS NOT NULL;
CREATE INDEX executions_failed_node_idx ON executions (workspace_id, failed_node_id, started_at DESC, id DESC)
  WHERE failed_node_id IS NOT NULL;
CREATE INDEX executions_workspace_id_number_idx ON executions (workspace_id, number);
CREATE INDEX executions_version_idx ON executions (workflow_id, workflow_version, started_at DESC, id DESC)
  WHERE workflow_id IS NOT NULL;
CREATE INDEX executions_open_of_version_idx ON executions (workflow_id, workflow_version) WHERE stopped_at IS NULL;
-- Webhooks start most executions, many at once; these are found by time.
CREATE INDEX executions_started_by_idx ON executions (workspace_id, started_by_type, started_at DESC, id DESC)
  WHERE started_by_type <> 'webhook';
-- The workspace is part of each term. Executions without labels are not indexed: statements repeat that condition.
CREATE FUNCTION label_terms(p_workspace uuid, p_labels jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(p_workspace || ' ' || l.key || '=' || l.value) FROM jsonb_each_text(p_labels) l
$$;
CREATE INDEX executions_labels_idx ON executions USING gin (label_terms(workspace_id, labels))
  WITH (gin_pending_list_limit = 64) WHERE labels <> '{}';
-- A rare label is found by the index, a frequent one by time: the planner needs the frequencies.
CREATE STATISTICS executions_labels_stat ON label_terms(workspace_id, labels) FROM executions;
-- Executions of drafts, which lists leave out.
CREATE INDEX executions_drafts_idx ON executions (workspace_id, started_at DESC, id DESC)
  WHERE workflow_id IS NOT NULL AND version_id IS NULL;
-- For the reconciler, which compares them with the engine, oldest first.
CREATE INDEX executions_open_idx ON executions (workspace_bucket(workspace_id), reconciled_at)
  WHERE status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT');
-- By workspace, because they take turns. Only IS TRUE matches the words of claimUnstarted.
CREATE INDEX executions_unstarted_idx ON executions (workspace_id, reconciled_at)
  WHERE (status = 'PENDING') IS TRUE AND NOT held;
-- Ends that the engine has not accepted yet: almost always none.
CREATE INDEX executions_end_due_idx ON executions (workspace_bucket(workspace_id), end_due_at) WHERE end_due_at IS NOT NULL;
CREATE INDEX executions_parent_idx ON executions (parent_execution_id) WHERE parent_execution_id IS NOT NULL;
CREATE INDEX executions_retry_of_idx ON executions (retry_of_id) WHERE retry_of_id IS NOT NULL;
CREATE INDEX executions_root_idx ON executions (root_id) WHERE root_id IS NOT NULL;
-- Held executions of a workflow, and those that count towards its limit. Workflows without a limit are in neither.
CREATE INDEX executions_held_idx ON executions (workflow_id, number) WHERE held;
CREATE INDEX executions_limited_idx ON executions (workflow_id) WHERE limited AND NOT held AND stopped_at IS NULL;
-- Ended executions in order, for retention and traces.
CREATE INDEX executions_stopped_idx ON executions (stopped_at, id) WHERE stopped_at IS NOT NULL;

-- Whether it, or the first execution of its tree, is a test of a draft, of which nobody outside is notified.
CREATE FUNCTION is_of_draft(p_execution executions) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM executions r
    WHERE r.id = coalesce(p_execution.root_id, p_execution.id) AND r.workflow_id IS NOT NULL AND r.version_id IS NULL)
$$;

-- Work whose worker was lost, while it is repeated (activities/execution/lostTries.ts): few, short-lived rows.
CREATE TABLE lost_tries (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  work text NOT NULL,
  tries integer NOT NULL DEFAULT 1,
  PRIMARY KEY (execution_id, work)
);

-- 09-steps.sql
-- Steps, iterations and questions.

CREATE TABLE execution_steps (
  id uuid PRIMARY KEY,
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  position bigserial NOT NULL,
  label text NOT NULL,
  type text NOT NULL,
  app_id text,
  action_id text,
  status text NOT NULL,
  attempt integer NOT NULL DEFAULT 1,
  handle text,
  input jsonb,
  output jsonb,
  input_bytes integer GENERATED ALWAYS AS (octet_length(input::text)) STORED,
  output_bytes integer GENERATED ALWAYS AS (octet_length(output::text)) STORED,
  error jsonb,
  queued_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  stopped_at timestamptz(3),
  wake_at timestamptz(3),
  -- The last 20 failed attempts, {attempt, startedAt, stoppedAt, error}. The row itself is the latest attempt.
  attempts jsonb,
  attempt_started_at timestamptz(3),
  -- No foreign key: it marks a copy for as long as the copy exists.
  copied_from_id uuid,
  -- For a copy: the execution in which the step ran, however long the chain of retries is. No foreign key either.
  reused_from_id uuid,
  iterations_total integer,
  iterations_completed integer,
  iterations_failed integer,
  -- For a loop: the total bytes of its ended iterations.
  iterations_bytes bigint,
  -- A retry's reused loop: the execution with its iterations. A resumed loop: the number of reused iterations.
  iterations_in uuid,
  iterations_kept integer,
  -- While the step is on a customer's worker: the queue, activity or workflow, and the Temporal workflow that called it,
  -- if it is not the execution's own.
  task_queue text,
  task_kind text,
  task_host text
);
-- Keeps steps of an iteration, and all inside it, adjacent. The operator class finds those by ~>=~ and ~<~.
CREATE UNIQUE INDEX execution_steps_execution_id_iteration_node_id_key
  ON execution_steps (execution_id, iteration text_pattern_ops, node_id);
-- The live status of an execution is computed from its open steps.
CREATE INDEX execution_steps_open_idx ON execution_steps (execution_id)
  WHERE status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT');
-- Steps on queues of customers' workers, which may have no worker.
CREATE INDEX execution_steps_on_workers_idx ON execution_steps (task_queue, task_kind, status)
  WHERE task_queue IS NOT NULL AND status IN ('RUNNING', 'WAITING');
-- Executions that wait for another attempt of a step, and for each the step that is retried next.
CREATE INDEX execution_steps_retrying_idx ON execution_steps (workspace_id, execution_id, wake_at, position)
  WHERE status = 'RETRYING';
-- Sorting is disabled, so that the planner reads the index instead of sorting thousands of steps in a loop.
CREATE FUNCTION next_attempts(p_workspace uuid, p_execution uuid, p_most integer) RETURNS SETOF execution_steps
LANGUAGE sql STABLE SET enable_sort = off AS $$
  SELECT * FROM execution_steps s
  WHERE s.workspace_id = p_workspace AND s.execution_id = p_execution AND s.status = 'RETRYING'
  ORDER BY s.wake_at, s.position LIMIT p_most
$$;
CREATE INDEX execution_steps_failed_items_idx ON execution_steps (workspace_id, execution_id) WHERE iterations_failed > 0;
-- Pages of steps inside loops. Steps outside loops are few, and not indexed here.
CREATE INDEX execution_steps_in_loops_idx ON execution_steps (execution_id, position) WHERE iteration <> '';
CREATE INDEX execution_steps_in_loops_node_idx ON execution_steps (execution_id, node_id, position)
  WHERE iteration <> '';
CREATE INDEX execution_steps_ended_badly_idx ON execution_steps (execution_id, status, position)
  WHERE status IN ('FAILED', 'CANCELLED');

-- Ended iterations of loops: they give the loop's output and progress.
CREATE TABLE execution_iterations (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  loop_key text NOT NULL,
  index integer NOT NULL,
  workspace_id uuid NOT NULL,
  status text NOT NULL,
  output jsonb,
  error jsonb,
  -- The size of its entry in the loop's output as workers write JSON, with a comma: Postgres adds spaces.
  bytes integer NOT NULL DEFAULT 0,
  -- In a retry: reused. A loop that resumes runs all other iterations, whatever ends meanwhile.
  is_kept boolean NOT NULL DEFAULT false,
  PRIMARY KEY (execution_id, loop_key, index)
);

-- Console output of code steps. Few steps have any, so it is not in their rows.
CREATE TABLE step_consoles (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  workspace_id uuid NOT NULL,
  attempt integer NOT NULL,
  lines jsonb NOT NULL,
  -- Known without reading them: reads limit how much of an execution they return.
  bytes integer GENERATED ALWAYS AS (octet_length(lines::text)) STORED,
  PRIMARY KEY (execution_id, node_id, iteration)
);

CREATE TABLE pending_inputs (
  id uuid PRIMARY KEY,
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  label text NOT NULL,
  fields jsonb NOT NULL,
  title text,
  instructions text,
  status text NOT NULL DEFAULT 'OPEN',
  required integer NOT NULL DEFAULT 1,
  submitters jsonb NOT NULL DEFAULT '"anyone"',
  exclude_starter boolean NOT NULL DEFAULT false,
  submissions jsonb NOT NULL,
  host text,
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  submitted_at timestamptz(3),
  signalled_at timestamptz(3)
);
CREATE UNIQUE INDEX pending_inputs_execution_id_node_id_iteration_key
  ON pending_inputs (execution_id, node_id, iteration);
-- Open questions of a workspace, oldest first.
CREATE INDEX pending_inputs_open_idx ON pending_inputs (workspace_id, requested_at, id) WHERE status = 'OPEN';
-- Accepted but not yet applied: the reconciler repeats their signal.
CREATE INDEX pending_inputs_submitted_idx ON pending_inputs (workspace_bucket(workspace_id), signalled_at) WHERE status = 'SUBMITTED';

-- Steps that wait for an authorization or an approval (agent.run). No foreign keys: the reconciler deletes rows of
-- steps that have continued, and of connections and turns that are gone.
CREATE TABLE step_waits (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  node_id text NOT NULL,
  iteration text NOT NULL DEFAULT '',
  -- connection or approval: `awaited` is the connection, or the turn with the tool call.
  kind text NOT NULL,
  awaited uuid NOT NULL,
  workspace_id uuid NOT NULL,
  -- The waiting Temporal workflow, if it is not the execution's own.
  host text,
  -- Infinity: not to be signalled while the turn waits for approval (tend_approval_waits).
  signalled_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (execution_id, node_id, iteration, awaited)
);
CREATE INDEX step_waits_awaited_signalled_at_idx ON step_waits (awaited, signalled_at);
CREATE INDEX step_waits_signalled_at_idx ON step_waits (signalled_at);

-- Single-use tokens for the credentials of a call: only the hash. A step on a customer's worker has one, of its last
-- attempt. A call over HTTP has no step here: its token is deleted when the call ends.
CREATE TABLE credential_tokens (
  hash bytea PRIMARY KEY,
  execution_id uuid REFERENCES executions ON DELETE CASCADE,
  node_id text,
  iteration text NOT NULL DEFAULT '',
  workspace_id uuid NOT NULL,
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX credential_tokens_execution_id_node_id_iteration_key ON credential_tokens (execution_id, node_id, iteration);
CREATE INDEX credential_tokens_expires_at_idx ON credential_tokens (expires_at) WHERE execution_id IS NULL;
CREATE INDEX credential_tokens_connection_id_idx ON credential_tokens (connection_id);

-- 10-secrets.sql
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

-- 11-failures.sql
-- Error workflows.

-- Starts of error workflows: due, started, or refused. No foreign keys: handlers may be deleted, ids precede rows.
CREATE TABLE failure_handlings (
  execution_id uuid PRIMARY KEY REFERENCES executions ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  handler_workflow_id uuid NOT NULL,
  handler_execution_id uuid,
  status text NOT NULL DEFAULT 'PENDING',
  error jsonb,
  attempts integer NOT NULL DEFAULT 0,
  -- Until then at most one process tries.
  not_before timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX failure_handlings_handler_execution_id_key ON failure_handlings (handler_execution_id);
CREATE INDEX failure_handlings_pending_idx ON failure_handlings (workspace_id, not_before) WHERE status = 'PENDING';

-- Executions started by a failure start no error workflow; a broken one would start itself forever. Tests of drafts,
-- and what they start, start none.
CREATE FUNCTION note_failure() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_handler uuid;
  v_chained boolean;
BEGIN
  SELECT w.on_failure_workflow_id INTO v_handler FROM workflows w WHERE w.id = NEW.workflow_id
  UNION ALL SELECT d.on_failure_workflow_id FROM deleted_workflows d WHERE d.id = NEW.workflow_id;
  IF v_handler IS NULL THEN
    SELECT p.on_failure_workflow_id INTO v_handler FROM projects p
    WHERE p.id = NEW.project_id AND p.on_failure_workflow_id <> NEW.workflow_id;
  END IF;
  IF v_handler IS NULL OR is_of_draft(NEW) THEN RETURN NULL; END IF;
  WITH RECURSIVE line AS (
    SELECT NEW.id AS id, NEW.parent_execution_id AS parent
    UNION
    SELECT p.id, p.parent_execution_id FROM line l JOIN executions p
      ON p.id = l.parent AND p.workspace_id = NEW.workspace_id
  )
  SELECT EXISTS (SELECT FROM line l JOIN failure_handlings f ON f.handler_execution_id = l.id) INTO v_chained;
  INSERT INTO failure_handlings (execution_id, workspace_id, handler_workflow_id, status, error)
  VALUES (NEW.id, NEW.workspace_id, v_handler, CASE WHEN v_chained THEN 'NOT_STARTED' ELSE 'PENDING' END,
    CASE WHEN v_chained THEN jsonb_build_object('code', 'FAILURE_OF_ERROR_WORKFLOW',
      'message', 'It was started by an error workflow, whose failures start no other') END)
  ON CONFLICT (execution_id) DO NOTHING;
  IF FOUND AND NOT v_chained THEN PERFORM pg_notify('perdure_failure', NEW.workspace_id::text); END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER executions_note_failure AFTER UPDATE OF status ON executions
FOR EACH ROW WHEN (NEW.status IN ('FAILED', 'TIMED_OUT') AND OLD.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'))
EXECUTE FUNCTION note_failure();

-- 12-starts.sql
-- Starts of executions.

-- All lock the execution's row first, which orders writes. FOR NO KEY UPDATE blocks no inserts that refer to it.

-- Notifies other processes. Postgres commits notifying transactions one after another, and every listener gets all. The
-- last three parameters are the row when it was locked. VOLATILE and called after the lock, so it sees every follower
-- that has not seen the transaction (engine/feeds/changeFeed.ts, prisma/store/stream/follow.ts).
CREATE FUNCTION notify_change(
  p_workspace uuid, p_execution uuid, p_revision integer, p_status text, p_responded boolean,
  p_notice text, p_followed_until timestamptz, p_had_responded boolean
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF (p_notice <> 'none' AND p_status NOT IN ('PENDING', 'RUNNING'))
    OR (p_notice = 'each' AND p_responded AND NOT p_had_responded)
    OR p_followed_until > now()
    OR EXISTS (SELECT FROM followed_workspaces f WHERE f.workspace_id = p_workspace AND f.expires_at > now())
  THEN
    PERFORM pg_notify('perdure_change', concat_ws(' ', p_execution, p_revision, p_status, p_responded::text));
  END IF;
END $$;

CREATE FUNCTION notice_after(p_notice text, p_status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_notice = 'first' AND p_status NOT IN ('PENDING', 'RUNNING') THEN 'none' ELSE p_notice END
$$;

-- How many executions may begin now (`room`, NULL: any number), and whether they count. With p_behind, new starts queue
-- behind held ones. Locks the workflow, so that the count is valid until the caller's write is visible.
CREATE FUNCTION workflow_gate(
  p_workspace uuid, p_workflow uuid, p_behind boolean, OUT room integer, OUT limited boolean
) LANGUAGE plpgsql AS $$
DECLARE
  v_paused boolean;
  v_limit integer;
BEGIN
  SELECT w.is_paused, w.max_concurrent INTO v_paused, v_limit FROM workflows w
  WHERE w.id = p_workflow AND w.workspace_id = p_workspace FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    SELECT d.max_concurrent INTO v_limit FROM deleted_workflows d
    WHERE d.id = p_workflow AND d.workspace_id = p_workspace FOR NO KEY UPDATE;
  END IF;
  limited := v_limit IS NOT NULL;
  IF v_paused THEN
    room := 0;
  ELSIF limited AND p_behind AND EXISTS (SELECT 1 FROM executions e WHERE e.workflow_id = p_workflow AND e.held) THEN
    room := 0;
  ELSIF limited THEN
    SELECT greatest(0, v_limit - count(*)) INTO room FROM executions e
    WHERE e.workflow_id = p_workflow AND e.limited AND NOT e.held AND e.stopped_at IS NULL;
  END IF;
END $$;

-- Running executions count towards a new limit; tests of a draft never do.
CREATE FUNCTION count_towards_limit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE executions e SET limited = true
  WHERE e.workspace_id = NEW.workspace_id AND e.workflow_id = NEW.id
    AND e.status IN ('PENDING', 'RUNNING', 'WAITING', 'NEEDS_INPUT') AND NOT e.limited AND e.version_id IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER workflows_count_towards_limit AFTER UPDATE OF max_concurrent ON workflows
FOR EACH ROW WHEN (NEW.max_concurrent IS NOT NULL)
EXECUTE FUNCTION count_towards_limit();

-- The variables with these names (NULL: all), those of the project before those of the workspace.
CREATE FUNCTION variables_at_start(p_workspace uuid, p_project uuid, p_names text[]) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT COALESCE(jsonb_object_agg(v.name, v.value), '{}') FROM (
    SELECT DISTINCT ON (a.name) a.name, a.value FROM variables a
    WHERE a.workspace_id = p_workspace AND (a.project_id IS NULL OR a.project_id = p_project)
      AND (p_names IS NULL OR a.name = ANY (p_names))
    ORDER BY a.name, a.project_id NULLS LAST
  ) v
$$;

-- Accepts a start of a version (createExecution.ts): the PENDING row, its number, and its variables, those of the
-- project before those of the workspace. No row if the workflow is inactive or at another version, or the execution
-- exists. It is held if the workflow is paused or at its limit, or others are held before it. Only starts of such
-- workflows lock the workflow's row; the reconciler never claims a held row. p_variables: NULL for all. p_queue: the
-- queue of its batch, which is never held. p_by_type, p_by_id: the login or key. p_starters: NULL for the person behind
-- p_by_id. p_labels: NULL if computed later (computedLabels.ts). p_notice: the column.
CREATE FUNCTION accept_execution(
  p_workspace uuid, p_workflow uuid, p_version uuid, p_execution uuid, p_trigger jsonb, p_variables text[],
  p_request text, p_started_by text, p_by_type text, p_by_id uuid, p_queue uuid DEFAULT NULL,
  p_labels jsonb DEFAULT '{}', p_trace text DEFAULT NULL, p_notice text DEFAULT 'first', p_starters uuid[] DEFAULT NULL
) RETURNS TABLE (
  name text, "projectId" uuid, number integer, variables jsonb, "startedAt" timestamptz, "timeoutMs" float8,
  held boolean, limited boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_workflow workflows%ROWTYPE;
  v_number integer;
  v_variables jsonb := '{}';
  v_held boolean := false;
BEGIN
  SELECT * INTO v_workflow FROM workflows w
  WHERE w.id = p_workflow AND w.workspace_id = p_workspace AND w.version_id = p_version AND w.is_active;
  IF NOT FOUND OR EXISTS (SELECT 1 FROM executions e WHERE e.id = p_execution) THEN RETURN; END IF;

  IF v_workflow.is_paused OR v_workflow.max_concurrent IS NOT NULL THEN
    SELECT coalesce(g.room <= 0, false) INTO v_held FROM workflow_gate(p_workspace, p_workflow, true) g;
    IF v_held AND p_queue IS NOT NULL THEN RETURN; END IF;
    SELECT * INTO v_workflow FROM workflows w
    WHERE w.id = p_workflow AND w.workspace_id = p_workspace AND w.version_id = p_version AND w.is_active;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;

  IF p_variables IS NULL OR cardinality(p_variables) > 0 THEN
    v_variables := variables_at_start(p_workspace, v_workflow.project_id, p_variables);
  END IF;

  UPDATE workspaces w SET execution_count = w.execution_count + 1 WHERE w.id = p_workspace
  RETURNING w.execution_count INTO v_number;

  RETURN QUERY INSERT INTO executions AS e (
      id, workspace_id, project_id, workflow_id, version_id, workflow_version, number, name, source, is_internal, trigger,
      variables, request_id, queue_id, held, limited, reconciled_at, started_by_type, started_by_id, starters, labels, trace,
      notice)
    VALUES (p_execution, p_workspace, v_workflow.project_id, p_workflow, p_version, v_workflow.version, v_number,
      v_workflow.name, 'WORKFLOW', v_workflow.is_internal, p_trigger, v_variables, p_request, p_queue, v_held,
      v_workflow.max_concurrent IS NOT NULL, CASE WHEN v_held THEN 'infinity' ELSE now() END,
      p_started_by, CASE WHEN p_started_by = p_by_type THEN p_by_id END,
      CASE WHEN p_starters IS NOT NULL THEN p_starters
        WHEN p_by_id IS NOT NULL THEN ARRAY[person_of(p_by_type, p_by_id)]
        -- An error workflow runs on behalf of those who started the failed execution.
        WHEN p_started_by = 'workflow' THEN COALESCE((
          SELECT x.starters FROM failure_handlings f JOIN executions x ON x.id = f.execution_id
          WHERE f.handler_execution_id = p_execution AND f.workspace_id = p_workspace), '{}')
        ELSE '{}' END, p_labels, p_trace, p_notice)
    ON CONFLICT (id) DO NOTHING
    RETURNING e.name, e.project_id, e.number, e.variables, e.started_at::timestamptz,
      v_workflow.timeout_ms::float8, e.held, e.limited;
END $$;

-- A child with its parent and starter, in one function; the admission queue does not start it. p_before: the step's
-- child in the execution that the parent retries; its work is taken over if it exists (p_keep: begin_take_over,
-- p_progress). It runs on behalf of those who started the parent or the turn.
CREATE FUNCTION accept_child_execution(
  p_workspace uuid, p_workflow uuid, p_version uuid, p_execution uuid, p_trigger jsonb, p_variables text[],
  p_request text, p_started_by text, p_parent uuid, p_starter text, p_before uuid, p_progress jsonb, p_keep jsonb,
  p_labels jsonb, p_trace text
) RETURNS TABLE ("timeoutMs" float8, held boolean, limited boolean, progress jsonb, "takesOver" boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_lineage uuid;
BEGIN
  "takesOver" := false;
  SELECT s."timeoutMs", s.held, s.limited INTO "timeoutMs", held, limited FROM accept_execution(
    p_workspace, p_workflow, p_version, p_execution, p_trigger, p_variables, p_request, p_started_by, NULL, NULL,
    p_labels => p_labels, p_trace => p_trace, p_notice => 'none') s;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE executions e SET parent_execution_id = p_parent, starter_id = p_starter,
    root_id = (SELECT COALESCE(p.root_id, p.id) FROM executions p WHERE p.id = p_parent),
    starters = COALESCE((SELECT p.starters FROM executions p WHERE p.id = p_parent),
      CASE WHEN p_started_by = 'agent' THEN starters_of_turn(p_workspace, p_starter) END, '{}')
  WHERE e.id = p_execution AND e.workspace_id = p_workspace;
  IF p_before IS NOT NULL THEN
    SELECT COALESCE(b.lineage_id, b.id) INTO v_lineage FROM executions b
    WHERE b.id = p_before AND b.workspace_id = p_workspace AND b.stopped_at IS NOT NULL FOR SHARE;
    IF FOUND THEN
      progress := p_progress;
      UPDATE executions e SET retry_of_id = p_before, lineage_id = v_lineage, initial_progress = p_progress
      WHERE e.id = p_execution;
      "takesOver" := begin_take_over(p_workspace, p_before, p_execution, p_keep);
    END IF;
  END IF;
  RETURN NEXT;
END $$;

-- By number, as many as pause and limit allow and at most p_most (releaseHeld.ts). The workflow's lock keeps the count
-- right. Rows that another statement is writing are skipped.
CREATE FUNCTION release_held_executions(p_workspace uuid, p_workflow uuid, p_most integer)
RETURNS TABLE (
  id uuid, number integer, revision integer, limited boolean, notice text, followed_until timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_room integer;
  v_limited boolean;
BEGIN
  SELECT least(p_most, g.room), g.limited INTO v_room, v_limited FROM workflow_gate(p_workspace, p_workflow, false) g;
  IF v_room <= 0 THEN RETURN; END IF;

  RETURN QUERY WITH next AS MATERIALIZED (
      SELECT n.id FROM executions n
      WHERE n.workflow_id = p_workflow AND n.workspace_id = p_workspace AND n.held AND n.stopped_at IS NULL
      ORDER BY n.number LIMIT v_room FOR UPDATE SKIP LOCKED)
    UPDATE executions e SET
      held = false, limited = v_limited, released_at = now(), started_at = now(), updated_at = now(),
      reconciled_at = now(), revision = e.revision + 1
    FROM next WHERE e.id = next.id
    RETURNING e.id, e.number, e.revision, e.limited, e.notice, e.followed_until::timestamptz;
END $$;

-- 13-retries.sql
-- Retries.

-- Loops with iterations still to be taken over, newest first: inner loops before the rest of their outer loop.
CREATE TABLE loops_to_take_over (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  loop_key text NOT NULL,
  place bigserial NOT NULL,
  -- The execution that has its iterations.
  source_id uuid NOT NULL,
  -- Everything in it is reused.
  is_whole boolean NOT NULL DEFAULT false,
  had_completed boolean NOT NULL,
  next_index integer NOT NULL DEFAULT 0,
  -- All its iterations are handled; only the final check is left.
  is_over boolean NOT NULL DEFAULT false,
  PRIMARY KEY (execution_id, loop_key)
);
CREATE INDEX loops_to_take_over_place_idx ON loops_to_take_over (execution_id, place);

-- Whether a retry repeats something in scopes from p_low to before p_high, in byte order: an iteration K is (K, K ||
-- '0'), a loop L (L || ':', L || ';'). True if a node of p_again ran there, or a loop there has iterations and a new
-- shape (p_reshaped), or completed with failed items (p_failed).
CREATE FUNCTION reopens(p_source uuid, p_low text, p_high text, p_again text[], p_reshaped text[], p_failed boolean)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM execution_steps s
    WHERE s.execution_id = p_source AND s.iteration ~>=~ p_low AND s.iteration ~<~ p_high AND s.node_id = ANY (p_again)
  ) OR (p_failed OR cardinality(p_reshaped) > 0) AND EXISTS (
    SELECT FROM execution_steps l
    JOIN execution_iterations i ON i.execution_id = p_source AND i.loop_key = l.iteration || '/' || l.node_id
    WHERE l.execution_id = p_source AND l.iteration ~>=~ p_low AND l.iteration ~<~ p_high
      AND l.type IN ('forEach', 'repeat')
      AND (l.node_id = ANY (p_reshaped) OR (p_failed AND l.status = 'COMPLETED' AND i.status = 'FAILED')))
$$;

CREATE FUNCTION reopens_loop(
  p_source uuid, p_loop text, p_completed boolean, p_again text[], p_reshaped text[], p_failed boolean
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT reopens(p_source, p_loop || ':', p_loop || ';', p_again, p_reshaped, p_failed) OR EXISTS (
    SELECT FROM execution_iterations i
    WHERE i.execution_id = p_source AND i.loop_key = p_loop
      AND (regexp_replace(p_loop, '^.*/', '') = ANY (p_reshaped) OR (p_failed AND p_completed AND i.status = 'FAILED')))
$$;

-- Begins to take over the retried execution's work (docs/retry.md, keptWork.ts). True: take_over_batch does the rest.
--   p_keep.kept    top-level nodes: their steps are copied; a loop's iterations stay in place
--   p_keep.opened  top-level loops that resume: RUNNING with the same items; successful iterations are copied, of the
--                  others the successful steps; inner loops likewise
-- p_keep.rules: {id, keep, handled, stop, loop, reshaped, otherOutput, after, input} of each node, `after` being the
-- nodes behind it in its scope. A step is reused if it succeeded (COMPLETED, or FAILED and handled), its node may be
-- kept, and no step before it in its scope runs again. otherOutput: computed again from the iterations.
CREATE FUNCTION begin_take_over(p_workspace uuid, p_before uuid, p_execution uuid, p_keep jsonb) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO execution_steps (
    id, execution_id, workspace_id, node_id, iteration, label, type, app_id, action_id, status, attempt, handle, input,
    output, error, queued_at, started_at, stopped_at, attempts, attempt_started_at, copied_from_id,
    reused_from_id, iterations_total,
    iterations_completed, iterations_failed, iterations_bytes, iterations_in)
  SELECT uuid_v7_of_now(), p_execution, p_workspace, s.node_id, '', s.label, s.type, s.app_id, s.action_id, s.status,
    s.attempt, s.handle, s.input, s.output, s.error, s.queued_at, s.started_at, s.stopped_at, s.attempts,
    s.attempt_started_at, s.id, COALESCE(s.reused_from_id, s.execution_id), s.iterations_total, s.iterations_completed, s.iterations_failed,
    s.iterations_bytes, CASE WHEN s.type IN ('forEach', 'repeat') THEN COALESCE(s.iterations_in, p_before) END
  FROM execution_steps s
  WHERE s.execution_id = p_before AND s.iteration = '' AND p_keep -> 'kept' ? s.node_id
  ORDER BY s.position;

  INSERT INTO loops_to_take_over (execution_id, workspace_id, source_id, loop_key, had_completed)
  SELECT p_execution, p_workspace, COALESCE(s.iterations_in, p_before), s.node_id, s.status = 'COMPLETED'
  FROM execution_steps s
  WHERE s.execution_id = p_before AND s.iteration = '' AND p_keep -> 'opened' ? s.node_id
  ORDER BY s.position DESC;
  IF NOT FOUND THEN RETURN false; END IF;

  INSERT INTO execution_steps (
    id, execution_id, workspace_id, node_id, iteration, label, type, status, input, queued_at, started_at,
    iterations_total, iterations_completed, iterations_failed, iterations_bytes, iterations_kept)
  SELECT uuid_v7_of_now(), p_execution, p_workspace, s.node_id, '', s.label, s.type, 'RUNNING',
    s.input || COALESCE(r.input, '{}'), s.queued_at, s.started_at, s.iterations_total, 0, 0, 0, 0
  FROM loops_to_take_over o
  JOIN execution_steps s ON s.execution_id = o.source_id AND s.iteration = '' AND s.node_id = o.loop_key
  LEFT JOIN jsonb_to_recordset(p_keep -> 'rules') AS r(id text, input jsonb) ON r.id = s.node_id
  WHERE o.execution_id = p_execution
  ORDER BY s.position;
  UPDATE executions SET take_over = p_keep - ARRAY['kept', 'opened', 'most'] WHERE id = p_execution;
  RETURN take_over_batch(p_workspace, p_execution, (p_keep ->> 'most')::integer);
END $$;

-- Takes over up to p_most more iterations; true if more are left. Can be repeated after a crash. The statements per
-- loop and batch are fixed, so time and memory do not grow with the iterations. Also works for an ended execution.
CREATE FUNCTION take_over_batch(p_workspace uuid, p_execution uuid, p_most integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_execution record;
  v_again text[];
  v_reshaped text[];
  v_failed boolean;
  v_reopens boolean;
  v_left integer := p_most;
  v_loop loops_to_take_over%ROWTYPE;
  v_node text;
  v_scope text;
  v_end integer;
  v_to integer;
  -- Indices of the iterations that are reused as they are; for a repeat, those before the first that is not.
  v_whole integer[];
  v_completed integer;
  v_bytes bigint;
  v_loops integer;
BEGIN
  SELECT e.take_over, e.stopped_at INTO v_execution FROM executions e
  WHERE e.id = p_execution AND e.workspace_id = p_workspace AND e.take_over IS NOT NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT COALESCE(array_agg(r.id) FILTER (WHERE NOT r.keep OR r."otherOutput"), '{}'), COALESCE(array_agg(r.id) FILTER (WHERE r.reshaped), '{}')
  INTO v_again, v_reshaped
  FROM jsonb_to_recordset(v_execution.take_over -> 'rules') AS r(id text, keep boolean, reshaped boolean, "otherOutput" boolean);
  v_failed := (v_execution.take_over ->> 'failedItems')::boolean;
  v_reopens := v_failed OR cardinality(v_again) > 0 OR cardinality(v_reshaped) > 0;

  WHILE v_left > 0 LOOP
    SELECT * INTO v_loop FROM loops_to_take_over o WHERE o.execution_id = p_execution ORDER BY o.place DESC LIMIT 1;
    IF NOT FOUND THEN
      UPDATE executions SET take_over = NULL WHERE id = p_execution;
      RETURN false;
    END IF;
    v_node := regexp_replace(v_loop.loop_key, '^.*/', '');
    v_scope := regexp_replace(v_loop.loop_key, '/?[^/]*$', '');

    -- It is handled, with all its inner loops, which came before it.
    IF v_loop.is_over THEN
      DELETE FROM loops_to_take_over o WHERE o.execution_id = p_execution AND o.loop_key = v_loop.loop_key;
      -- A loop with nothing left begins again as a whole, with its current items; then perhaps the one around it.
      DELETE FROM execution_steps s
      WHERE s.execution_id = p_execution AND s.iteration = v_scope AND s.node_id = v_node AND s.iterations_kept = 0
        AND NOT EXISTS (
          SELECT FROM execution_steps i WHERE i.execution_id = p_execution
            AND i.iteration ~>=~ (v_loop.loop_key || ':') AND i.iteration ~<~ (v_loop.loop_key || ';'));
      v_left := v_left - 1;
      CONTINUE;
    END IF;

    -- An iteration that began and has not ended may come after all ended ones.
    SELECT greatest(COALESCE(s.iterations_total, 0), 2 + COALESCE((
      SELECT max(i.index) FROM execution_iterations i
      WHERE i.execution_id = v_loop.source_id AND i.loop_key = v_loop.loop_key), -1)) INTO v_end
    FROM execution_steps s
    WHERE s.execution_id = v_loop.source_id AND s.iteration = v_scope AND s.node_id = v_node;
    v_to := least(v_end, v_loop.next_index + v_left);
    v_left := v_left - greatest(v_to - v_loop.next_index, 1);

    v_whole := ARRAY(
      SELECT i.index FROM execution_iterations i
      WHERE i.execution_id = v_loop.source_id AND i.loop_key = v_loop.loop_key
        AND i.index >= v_loop.next_index AND i.index < v_to
        AND (v_loop.is_whole OR ((i.status = 'COMPLETED' OR v_loop.had_completed)
          AND NOT (v_reopens AND (v_node = ANY (v_reshaped)
            OR (v_failed AND v_loop.had_completed AND i.status = 'FAILED')
            OR reopens(v_loop.source_id, v_loop.loop_key || ':' || i.index, v_loop.loop_key || ':' || i.index || '0',
              v_again, v_reshaped, v_failed)))))
      ORDER BY i.index);
    IF NOT v_loop.is_whole AND EXISTS (
      SELECT FROM execution_steps s WHERE s.execution_id = v_loop.source_id AND s.iteration = v_scope
        AND s.node_id = v_node AND s.type = 'repeat') THEN
      -- A repeat reuses the iterations before the first that did not succeed, and of the rest only looks at that one.
      v_whole := ARRAY(
        SELECT w.index FROM unnest(v_whole) WITH ORDINALITY AS w(index, place)
        WHERE w.index = v_loop.next_index + w.place - 1 ORDER BY w.index);
      IF v_loop.next_index + cardinality(v_whole) < v_to THEN
        v_to := v_loop.next_index + cardinality(v_whole) + 1;
        v_end := v_to;
      END IF;
    END IF;
    UPDATE loops_to_take_over o SET next_index = v_to, is_over = v_to >= v_end
    WHERE o.execution_id = p_execution AND o.loop_key = v_loop.loop_key;

    WITH taken AS (
      INSERT INTO execution_iterations (
        execution_id, loop_key, index, workspace_id, status, output, error, bytes, is_kept)
      SELECT p_execution, i.loop_key, i.index, p_workspace, i.status, i.output, i.error, i.bytes, true
      FROM execution_iterations i
      WHERE i.execution_id = v_loop.source_id AND i.loop_key = v_loop.loop_key
        AND i.index >= v_loop.next_index AND i.index < v_to AND i.index = ANY (v_whole)
      RETURNING status, bytes
    )
    SELECT count(*) FILTER (WHERE status = 'COMPLETED'), COALESCE(sum(bytes), 0) INTO v_completed, v_bytes FROM taken;
    IF NOT v_loop.is_whole AND cardinality(v_whole) > 0 THEN
      UPDATE execution_steps s SET
        iterations_completed = s.iterations_completed + v_completed,
        iterations_failed = s.iterations_failed + cardinality(v_whole) - v_completed,
        iterations_bytes = s.iterations_bytes + v_bytes,
        iterations_kept = s.iterations_kept + cardinality(v_whole)
      WHERE s.execution_id = p_execution AND s.iteration = v_scope AND s.node_id = v_node;
    END IF;

    -- Copies all steps of these iterations, the successful steps of the others, and the loops that resume there.
    WITH rules AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(v_execution.take_over -> 'rules') AS r(
        id text, keep boolean, handled boolean, stop boolean, loop text, "otherOutput" boolean, after text[], input jsonb)
    ), found AS MATERIALIZED (
      SELECT s.*, v_loop.is_whole OR n.index = ANY (v_whole) AS is_whole, s.iteration || '/' || s.node_id AS key,
        s.type IN ('forEach', 'repeat') AS is_loop
      FROM generate_series(v_loop.next_index, v_to - 1) AS n(index)
      JOIN execution_steps s ON s.execution_id = v_loop.source_id AND s.iteration = v_loop.loop_key || ':' || n.index
    ), judged AS MATERIALIZED (
      SELECT f.id, f.iteration, f.node_id, r.after, r.keep, r.loop, r.input,
        r.keep AND ((f.status = 'COMPLETED' AND NOT r.stop) OR (f.status = 'FAILED' AND r.handled))
          AND NOT r."otherOutput" AND NOT (f.is_loop AND v_reopens AND reopens_loop(
            v_loop.source_id, f.key, f.status = 'COMPLETED', v_again, v_reshaped, v_failed)) AS is_kept
      FROM found f JOIN rules r ON r.id = f.node_id WHERE NOT f.is_whole
    ), free AS MATERIALIZED (
      SELECT j.id, j.input, NOT j.is_kept AS goes_on FROM judged j
      WHERE (j.is_kept OR (j.keep AND j.loop IS NOT NULL)) AND NOT EXISTS (
        SELECT FROM judged b WHERE b.iteration = j.iteration AND NOT b.is_kept AND j.node_id = ANY (b.after))
    ), taken AS MATERIALIZED (
      SELECT f.id, false AS goes_on, NULL::jsonb AS input FROM found f WHERE f.is_whole
      UNION ALL SELECT j.id, j.goes_on, j.input FROM free j
    ), copied AS (
      INSERT INTO execution_steps (
        id, execution_id, workspace_id, node_id, iteration, label, type, app_id, action_id, status, attempt, handle, input,
        output, error, queued_at, started_at, stopped_at, attempts, attempt_started_at, copied_from_id, reused_from_id,
        iterations_total,
        iterations_completed, iterations_failed, iterations_bytes, iterations_kept)
      SELECT uuid_v7_of_now(), p_execution, p_workspace, s.node_id, s.iteration, s.label, s.type, s.app_id, s.action_id,
        CASE WHEN NOT t.goes_on THEN s.status WHEN v_execution.stopped_at IS NULL THEN 'RUNNING' ELSE 'CANCELLED' END,
        CASE WHEN t.goes_on THEN 1 ELSE s.attempt END, CASE WHEN NOT t.goes_on THEN s.handle END,
        CASE WHEN t.goes_on THEN s.input || COALESCE(t.input, '{}') ELSE s.input END,
        CASE WHEN NOT t.goes_on THEN s.output END, CASE WHEN NOT t.goes_on THEN s.error END, s.queued_at, s.started_at,
        CASE WHEN NOT t.goes_on THEN s.stopped_at ELSE v_execution.stopped_at END,
        CASE WHEN NOT t.goes_on THEN s.attempts END, CASE WHEN NOT t.goes_on THEN s.attempt_started_at END,
        CASE WHEN NOT t.goes_on THEN s.id END,
        CASE WHEN NOT t.goes_on THEN COALESCE(s.reused_from_id, s.execution_id) END, s.iterations_total,
        CASE WHEN t.goes_on THEN 0 ELSE s.iterations_completed END, CASE WHEN t.goes_on THEN 0 ELSE s.iterations_failed END,
        CASE WHEN t.goes_on THEN 0 ELSE s.iterations_bytes END, CASE WHEN t.goes_on THEN 0 END
      FROM taken t JOIN found s ON s.id = t.id
      ORDER BY s.position
    )
    INSERT INTO loops_to_take_over (execution_id, workspace_id, source_id, loop_key, is_whole, had_completed)
    SELECT p_execution, p_workspace, v_loop.source_id, s.key, NOT t.goes_on, s.status = 'COMPLETED'
    FROM taken t JOIN found s ON s.id = t.id
    WHERE s.is_loop ORDER BY s.position DESC;
    GET DIAGNOSTICS v_loops = ROW_COUNT;
    -- No inner loops, so it needs no second look.
    IF v_loop.is_whole AND v_to >= v_end AND v_loops = 0 THEN
      DELETE FROM loops_to_take_over o WHERE o.execution_id = p_execution AND o.loop_key = v_loop.loop_key;
    END IF;
  END LOOP;
  RETURN true;
END $$;

-- Returns the retry that excludes another one: the open one, otherwise the newest completed one.
CREATE FUNCTION live_retry(p_workspace uuid, p_execution uuid) RETURNS TABLE (id uuid, status text)
LANGUAGE sql STABLE AS $$
  SELECT r.id, r.status FROM executions r
  WHERE r.retry_of_id = p_execution AND r.workspace_id = p_workspace
    AND r.status NOT IN ('FAILED', 'CANCELLED', 'TIMED_OUT')
  ORDER BY r.status = 'COMPLETED', r.number DESC LIMIT 1
$$;

-- Accepts a retry (createRetry.ts): a PENDING execution linked to the one before it, with the work that it takes over
-- and its progress. A workflow's retry is a start of its current version (p_head), which then gets the version to run;
-- that of an ad-hoc run or of a draft has its definition. p_trigger: NULL for that of the one before. Returns created, held, or why nothing
-- was written: exists (this execution), absent (the one before, or it is open), stale (the workflow is at another
-- version or inactive), retried (live_retry is open, or COMPLETED and p_again is false).
CREATE FUNCTION accept_retry(
  p_workspace uuid, p_before uuid, p_execution uuid, p_head uuid, p_version uuid, p_trigger jsonb, p_variables text[],
  p_request text, p_by_type text, p_by_id uuid, p_progress jsonb, p_keep jsonb, p_trace text,
  p_again boolean, OUT outcome text, OUT limited boolean, OUT takes_over boolean, OUT live_retry jsonb
) LANGUAGE plpgsql AS $$
DECLARE
  v_before executions%ROWTYPE;
  v_number integer;
  v_held boolean := false;
BEGIN
  limited := false;
  takes_over := false;
  outcome := 'exists';
  IF EXISTS (SELECT 1 FROM executions e WHERE e.id = p_execution) THEN RETURN; END IF;
  -- Held until the retry exists: retention skips the row, and of two concurrent retries the second finds the first.
  SELECT * INTO v_before FROM executions e
  WHERE e.id = p_before AND e.workspace_id = p_workspace
    AND e.status IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  FOR NO KEY UPDATE;
  outcome := 'absent';
  IF NOT FOUND THEN RETURN; END IF;

  -- A new statement after the lock sees what its previous holder has committed, which may be the same request.
  outcome := 'exists';
  IF EXISTS (SELECT 1 FROM executions e WHERE e.id = p_execution) THEN RETURN; END IF;
  SELECT jsonb_build_object('id', l.id, 'status', l.status) INTO live_retry FROM live_retry(p_workspace, p_before) l
  WHERE l.status <> 'COMPLETED' OR NOT p_again;
  outcome := 'retried';
  IF FOUND THEN RETURN; END IF;

  IF v_before.version_id IS NOT NULL THEN
    SELECT s.held, s.limited INTO v_held, limited
    FROM accept_execution(p_workspace, v_before.workflow_id, p_head, p_execution,
      COALESCE(p_trigger, v_before.trigger), p_variables, p_request, 'retry', p_by_type, p_by_id,
      p_trace => p_trace) s;
    outcome := 'stale';
    IF NOT FOUND THEN RETURN; END IF;
  ELSE
    UPDATE workspaces w SET execution_count = w.execution_count + 1 WHERE w.id = p_workspace
    RETURNING w.execution_count INTO v_number;
    INSERT INTO executions (id, workspace_id, project_id, workflow_id, definition, number, name, source, is_internal,
      trigger, variables, request_id, started_by_type, starters, trace)
    VALUES (p_execution, p_workspace, v_before.project_id, v_before.workflow_id, v_before.definition, v_number,
      v_before.name, v_before.source, v_before.is_internal, COALESCE(p_trigger, v_before.trigger),
      CASE WHEN cardinality(p_variables) = 0 THEN '{}'
        ELSE variables_at_start(p_workspace, v_before.project_id, p_variables) END,
      p_request, 'retry', CASE WHEN p_by_id IS NULL THEN '{}' ELSE ARRAY[person_of(p_by_type, p_by_id)] END, p_trace)
    ON CONFLICT (id) DO NOTHING;
    outcome := 'exists';
    IF NOT FOUND THEN RETURN; END IF;
  END IF;

  UPDATE executions e SET version_id = p_version,
    workflow_version = (SELECT v.version FROM workflow_versions v WHERE v.id = p_version), labels = v_before.labels,
    retry_of_id = p_before, initial_progress = p_progress,
    root_id = COALESCE(v_before.root_id, p_before), lineage_id = COALESCE(v_before.lineage_id, p_before),
    starters = v_before.starters || e.starters
  WHERE e.id = p_execution;

  takes_over := begin_take_over(p_workspace, p_before, p_execution, p_keep);

  outcome := CASE WHEN v_held THEN 'held' ELSE 'created' END;
END $$;

-- 14-progress.sql
-- Progress of executions.

-- As a list for execution_steps.attempts. Only the last attempt keeps its error whole, in the row.
CREATE FUNCTION ended_attempt(p_attempt integer, p_started timestamptz, p_stopped timestamptz, p_error jsonb)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(jsonb_build_object('attempt', p_attempt,
    'startedAt', to_char(p_started AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'stoppedAt', to_char(coalesce(p_stopped, now()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'error', jsonb_build_object('code', p_error ->> 'code', 'message', left(p_error ->> 'message', 1000))))
$$;

-- Returns an ended step as metrics count it: app, action, status, seconds.
CREATE FUNCTION ended_step(
  p_app text, p_action text, p_type text, p_status text, p_started timestamptz, p_stopped timestamptz
) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(coalesce(p_app, 'control'), coalesce(p_action, p_type), p_status,
    greatest(coalesce(extract(epoch FROM p_stopped - p_started), 0), 0))
$$;

-- Writes progress (recordProgress.ts): steps, the status computed from open steps, revision + 1. No row once the
-- execution has ended. A final step, or one whose attempt has ended, is not changed. `loop_bytes`: for each loop in
-- p_iterations the bytes of all ended iterations, including those of an earlier attempt of this write.
CREATE FUNCTION record_progress(
  p_workspace uuid, p_execution uuid, p_steps jsonb, p_questions jsonb, p_scope text, p_answered text[],
  p_iterations jsonb, p_cancelled text[], p_response jsonb, p_end jsonb
) RETURNS TABLE (revision integer, status text, responded boolean, noted jsonb, loop_bytes jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_status text := p_end ->> 'status';
  v_before executions;
  v_cancelled jsonb;
  v_ended jsonb;
  v_had_responded boolean;
  -- Metrics leave tests of drafts out.
  v_counts boolean;
BEGIN
  SELECT e.status, e.started_at, e.released_at, e.workflow_id, e.workflow_id IS NULL OR e.version_id IS NOT NULL, e.notice, e.followed_until, e.response IS NOT NULL
  INTO v_before.status, v_before.started_at, v_before.released_at, v_before.workflow_id, v_counts, v_before.notice,
    v_before.followed_until, v_had_responded FROM executions e
  WHERE e.id = p_execution AND e.workspace_id = p_workspace
    AND e.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;

  -- Closes the open rows below these scopes.
  IF p_cancelled IS NOT NULL THEN
    WITH written AS (
      UPDATE execution_steps s SET status = 'CANCELLED', stopped_at = now(), wake_at = NULL
      WHERE s.execution_id = p_execution AND s.status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT')
        AND EXISTS (SELECT 1 FROM unnest(p_cancelled) c WHERE starts_with(s.iteration || '/', c))
      RETURNING s.app_id, s.action_id, s.type, s.status, s.started_at, s.stopped_at
    )
    SELECT jsonb_agg(ended_step(w.app_id, w.action_id, w.type, w.status, w.started_at, w.stopped_at))
    INTO v_cancelled FROM written w;
    UPDATE pending_inputs p SET status = 'CLOSED'
    WHERE p.execution_id = p_execution AND p.status IN ('OPEN', 'SUBMITTED')
      AND EXISTS (SELECT 1 FROM unnest(p_cancelled) c WHERE starts_with(p.iteration || '/', c));
  END IF;

  -- Ended rows are not written again, so every ended row that is returned has ended with this write.
  WITH written AS (
    INSERT INTO execution_steps AS s (
      id, execution_id, workspace_id, node_id, iteration, label, type, app_id, action_id,
      status, attempt, handle, input, output, error, started_at, stopped_at, wake_at, attempts, attempt_started_at,
      iterations_total, iterations_completed, iterations_failed, iterations_bytes, task_queue, task_kind,
      task_host)
    SELECT x.id, p_execution, p_workspace, x."nodeId", x.iteration, x.label, x.type, x."appId", x."actionId",
      x.status, x.attempt, x.handle, x.input, x.output, x.error, x."startedAt",
      CASE WHEN x.status <> 'RETRYING' THEN x."stoppedAt" END, x."wakeAt",
      CASE WHEN x.status = 'RETRYING' THEN ended_attempt(x.attempt, x."startedAt", x."stoppedAt", x.error) END,
      CASE WHEN x.attempt > 1 THEN x."startedAt" END, x."iterationsTotal", CASE WHEN x.type IN ('forEach', 'repeat') THEN 0 END,
      CASE WHEN x.type IN ('forEach', 'repeat') THEN 0 END, CASE WHEN x.type IN ('forEach', 'repeat') THEN 0 END,
      x."taskQueue", x."taskKind", x."taskHost"
    FROM jsonb_to_recordset(p_steps) AS x(
      id uuid, "nodeId" text, iteration text, label text, type text, "appId" text, "actionId" text,
      status text, attempt int, handle text, input jsonb, output jsonb, error jsonb,
      "startedAt" timestamptz, "stoppedAt" timestamptz, "wakeAt" timestamptz, "iterationsTotal" int,
      "taskQueue" text, "taskKind" text, "taskHost" text)
    ON CONFLICT (execution_id, node_id, iteration) DO UPDATE SET
      status = excluded.status, attempt = excluded.attempt, handle = excluded.handle,
      input = COALESCE(excluded.input, s.input), output = excluded.output, error = excluded.error,
      started_at = COALESCE(s.started_at, excluded.started_at), stopped_at = excluded.stopped_at,
      wake_at = excluded.wake_at, iterations_total = COALESCE(excluded.iterations_total, s.iterations_total),
      attempts = CASE WHEN excluded.attempts IS NULL THEN s.attempts
        WHEN jsonb_array_length(s.attempts) >= 20 THEN (s.attempts - 0) || excluded.attempts
        ELSE COALESCE(s.attempts, '[]') || excluded.attempts END,
      attempt_started_at = COALESCE(excluded.attempt_started_at, s.attempt_started_at),
      task_queue = excluded.task_queue, task_kind = excluded.task_kind, task_host = excluded.task_host
    WHERE s.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED') AND s.attempt <= excluded.attempt
      AND NOT (s.status = 'RETRYING' AND s.attempt = excluded.attempt) AND excluded.status <> 'QUEUED'
    RETURNING s.app_id, s.action_id, s.type, s.status, s.started_at, s.stopped_at
  )
  SELECT jsonb_agg(ended_step(w.app_id, w.action_id, w.type, w.status, w.started_at, w.stopped_at))
  INTO v_ended FROM written w WHERE w.status IN ('COMPLETED', 'FAILED', 'CANCELLED');

  IF p_iterations IS NOT NULL THEN
    WITH ended AS (
      INSERT INTO execution_iterations AS i (execution_id, loop_key, index, workspace_id, status, output, error, bytes)
      SELECT p_execution, x."loopKey", x.index, p_workspace, x.status, x.output, x.error, x.bytes
      FROM jsonb_to_recordset(p_iterations) AS x(
        "loopKey" text, index int, status text, output jsonb, error jsonb, bytes int)
      ON CONFLICT (execution_id, loop_key, index) DO NOTHING
      RETURNING i.loop_key, i.status, i.bytes
    ), counted AS (
      SELECT k.loop_key, count(*) FILTER (WHERE ended.status = 'COMPLETED') AS completed,
        count(*) FILTER (WHERE ended.status = 'FAILED') AS failed, COALESCE(sum(ended.bytes), 0) AS bytes
      FROM (SELECT DISTINCT x."loopKey" AS loop_key FROM jsonb_to_recordset(p_iterations) AS x("loopKey" text)) k
      LEFT JOIN ended ON ended.loop_key = k.loop_key
      GROUP BY k.loop_key
    ), written AS (
      UPDATE execution_steps s SET
        iterations_completed = s.iterations_completed + c.completed, iterations_failed = s.iterations_failed + c.failed,
        iterations_bytes = s.iterations_bytes + c.bytes
      FROM counted c
      WHERE s.execution_id = p_execution AND s.node_id = regexp_replace(c.loop_key, '^.*/', '')
        AND s.iteration = regexp_replace(c.loop_key, '/?[^/]*$', '')
      RETURNING c.loop_key AS key, s.iterations_bytes AS bytes
    )
    SELECT jsonb_object_agg(w.key, w.bytes) INTO loop_bytes FROM written w;
  END IF;

  IF p_questions IS NOT NULL THEN
    INSERT INTO pending_inputs (
      id, execution_id, workspace_id, node_id, iteration, label, fields, title, instructions, expires_at, required,
      submitters, exclude_starter, submissions, host)
    SELECT x.id, p_execution, p_workspace, x."nodeId", x.iteration, x.label, x.fields, x.title, x.instructions,
      x."expiresAt", x.required, x.submitters, x."excludeStarter", '[]', x.host
    FROM jsonb_to_recordset(p_questions) AS x(
      id uuid, "nodeId" text, iteration text, label text, fields jsonb, title text, instructions text,
      "expiresAt" timestamptz, required int, submitters jsonb, "excludeStarter" boolean, host text)
    ON CONFLICT (execution_id, node_id, iteration) DO NOTHING;
  END IF;
  IF p_answered IS NOT NULL THEN
    UPDATE pending_inputs p SET status = 'APPLIED'
    WHERE p.execution_id = p_execution AND p.workspace_id = p_workspace AND p.status = 'SUBMITTED'
      AND p.iteration = p_scope AND p.node_id = ANY (p_answered);
  END IF;

  -- An open loop has no status of its own: its iterations determine it.
  IF v_status IS NULL THEN
    SELECT CASE
        WHEN bool_or(s.status = 'NEEDS_INPUT') THEN 'NEEDS_INPUT'
        WHEN bool_or(s.status IN ('QUEUED', 'RUNNING')) THEN 'RUNNING'
        WHEN bool_or(s.status IN ('RETRYING', 'WAITING')) THEN 'WAITING'
        ELSE 'RUNNING' END
    INTO v_status FROM execution_steps s
    WHERE s.execution_id = p_execution AND s.status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT')
      AND NOT (s.type IN ('forEach', 'repeat') AND s.status = 'RUNNING');
  END IF;

  UPDATE executions e SET
      revision = e.revision + 1, updated_at = now(), status = v_status,
      response = COALESCE(e.response, p_response), notice = notice_after(e.notice, v_status),
      stopped_at = CASE WHEN p_end IS NULL THEN NULL ELSE now() END,
      status_message = p_end ->> 'statusMessage',
      error_code = p_end ->> 'errorCode', failed_node_id = p_end ->> 'failedNodeId',
      output = p_end -> 'output'
    WHERE e.id = p_execution
    RETURNING e.revision, e.status, e.response IS NOT NULL,
      CASE WHEN v_before.status = 'PENDING' OR p_end IS NOT NULL OR v_ended IS NOT NULL OR v_cancelled IS NOT NULL
        THEN jsonb_strip_nulls(jsonb_build_object(
          'workflowId', v_before.workflow_id,
          'begunAfter', CASE WHEN v_before.status = 'PENDING' AND v_counts
            THEN extract(epoch FROM now() - coalesce(v_before.released_at, v_before.started_at)) END,
          'end', CASE WHEN v_counts THEN p_end -> 'status' END,
          'lasted', CASE WHEN p_end IS NOT NULL THEN extract(epoch FROM now() - v_before.started_at) END,
          'steps', coalesce(v_cancelled, '[]') || coalesce(v_ended, '[]'))) END
    INTO revision, status, responded, noted;
  PERFORM notify_change(p_workspace, p_execution, revision, status, responded,
    v_before.notice, v_before.followed_until, v_had_responded);
  RETURN NEXT;
END $$;

-- The last submission and its author; `submissions` has all if several were required. Persons behind keys stay hidden.
CREATE FUNCTION input_answer(p_submissions jsonb, p_required integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT (p_submissions -> -1 -> 'values') || jsonb_build_object('submittedAt', p_submissions -> -1 -> 'at')
    || CASE WHEN p_submissions -> -1 ? 'by' THEN jsonb_build_object('submittedBy', p_submissions -> -1 -> 'by')
      ELSE '{}' END
    || CASE WHEN p_required = 1 THEN '{}' ELSE jsonb_build_object('submissions', (
      SELECT jsonb_agg(s.value - 'person' ORDER BY s.ordinality)
      FROM jsonb_array_elements(p_submissions) WITH ORDINALITY s)) END
$$;

-- Adds a submission once, while its question is open (pendingInput.ts). The last required one completes the step and
-- writes the next steps (p_queued) as QUEUED, so it is stored before the execution gets its signal. No row if the
-- question accepts no further one, or none from this person. p_by: {by: {type, id, name}, person}, or {}.
CREATE FUNCTION submit_input(
  p_workspace uuid, p_execution uuid, p_question uuid, p_by jsonb, p_values jsonb, p_queued jsonb
) RETURNS TABLE (answered boolean, revision integer, status text, responded boolean, noted jsonb) LANGUAGE plpgsql AS $$
DECLARE
  v_submission jsonb := p_by || jsonb_build_object('values', p_values,
    'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  v_question pending_inputs%ROWTYPE;
BEGIN
  PERFORM 1 FROM executions e
  WHERE e.id = p_execution AND e.workspace_id = p_workspace
    AND e.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;

  UPDATE pending_inputs p SET
    submissions = p.submissions || v_submission,
    status = CASE WHEN jsonb_array_length(p.submissions) + 1 >= p.required THEN 'SUBMITTED' ELSE 'OPEN' END,
    submitted_at = now(), signalled_at = now()
  WHERE p.id = p_question AND p.execution_id = p_execution AND p.status = 'OPEN'
    AND (p.expires_at IS NULL OR p.expires_at > now())
    AND (p.required = 1 OR (p_by ? 'person'
      AND NOT p.submissions @> jsonb_build_array(jsonb_build_object('person', p_by -> 'person'))))
  RETURNING * INTO v_question;
  IF NOT FOUND THEN RETURN; END IF;
  IF v_question.status = 'OPEN' THEN
    RETURN QUERY SELECT false, NULL::integer, NULL::text, NULL::boolean, NULL::jsonb;
    RETURN;
  END IF;

  RETURN QUERY
    SELECT true, c.revision, c.status, c.responded, c.noted
    FROM execution_steps s, record_progress(p_workspace, p_execution,
      jsonb_build_array(jsonb_build_object(
        'id', s.id, 'nodeId', s.node_id, 'iteration', s.iteration, 'label', s.label, 'type', s.type,
        'status', 'COMPLETED', 'attempt', s.attempt, 'stoppedAt', now(),
        'output', input_answer(v_question.submissions, v_question.required))) || p_queued,
      NULL, s.iteration, NULL, NULL, NULL, NULL, NULL) c
    WHERE s.id = p_question;
END $$;

-- 15-queues.sql
-- Queues.

CREATE TABLE queues (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  slug text,
  description text,
  priority integer NOT NULL DEFAULT 0,
  is_active boolean NOT NULL DEFAULT true,
  max_retries integer NOT NULL DEFAULT 3,
  retry_delay_minutes double precision NOT NULL DEFAULT 5,
  batch_size integer NOT NULL DEFAULT 10 CHECK (batch_size BETWEEN 1 AND 500),
  max_concurrent integer NOT NULL DEFAULT 1 CHECK (max_concurrent BETWEEN 1 AND 1000),
  data_schema json,
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  revision integer NOT NULL DEFAULT 1,
  applied_project_id uuid,
  applied_owner text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  CHECK (deleted_at IS NULL OR NOT is_active)
);
CREATE INDEX queues_workspace_id_priority_created_at_id_idx ON queues (workspace_id, priority DESC, created_at, id);
-- A deleted queue keeps its slug; another queue may reuse it.
CREATE UNIQUE INDEX queues_project_id_slug_key ON queues (project_id, slug) WHERE deleted_at IS NULL;
CREATE TRIGGER queues_give_slug BEFORE INSERT ON queues
FOR EACH ROW EXECUTE FUNCTION give_slug('project_id', 'deleted_at IS NULL', 'queue');

-- Notifies like a ready item: an activated queue has ready items, and a higher limit has room for batches.
CREATE FUNCTION queue_opened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('perdure_queue', NEW.workspace_id || ' ' || NEW.id || ' ');
  RETURN NULL;
END $$;
CREATE TRIGGER queues_opened AFTER UPDATE ON queues FOR EACH ROW
WHEN (NEW.is_active AND (NOT OLD.is_active OR NEW.max_concurrent > OLD.max_concurrent)) EXECUTE FUNCTION queue_opened();

CREATE TRIGGER queues_count_revision BEFORE UPDATE ON queues FOR EACH ROW EXECUTE FUNCTION count_revision();

-- 16-queueItems.sql
-- Queue items.

-- Returns all texts, numbers and booleans of an item for searches: values, not member names.
CREATE FUNCTION queue_item_text(p_external_id text, p_data jsonb, p_metadata jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT concat_ws(E'\n', p_external_id, (
    SELECT string_agg(v #>> '{}', E'\n')
    FROM jsonb_path_query(jsonb_build_array(p_data, p_metadata), 'strict $.**') v
    WHERE jsonb_typeof(v) IN ('string', 'number', 'boolean')))
$$;

-- moved_by, moved_note and moved_id describe the latest move, which a repeatable request names by an id. due_at: when
-- the item becomes ready, NULL if it is: then ready_rank is its position, the only key of the index for claims.
CREATE TABLE queue_items (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  queue_id uuid NOT NULL REFERENCES queues ON DELETE CASCADE,
  external_id text,
  status text NOT NULL DEFAULT 'PENDING'
    CHECK (status IN ('PENDING', 'PROCESSING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  priority integer NOT NULL DEFAULT 0,
  data jsonb NOT NULL,
  metadata jsonb NOT NULL,
  object_id uuid REFERENCES objects ON DELETE SET NULL,
  max_retries integer,
  retry_delay_minutes double precision,
  retry_count integer NOT NULL DEFAULT 0,
  scheduled_for timestamptz(3),
  next_retry_at timestamptz(3),
  due_at timestamptz(3) CHECK (due_at IS NULL OR status IN ('PENDING', 'RETRYING')),
  last_error text,
  last_error_at timestamptz(3),
  processing_started_at timestamptz(3),
  processing_completed_at timestamptz(3),
  -- The execution that processes it now, and the latest one that was linked to it.
  execution_id uuid REFERENCES executions ON DELETE SET NULL CHECK (execution_id IS NULL OR status = 'PROCESSING'),
  last_execution_id uuid REFERENCES executions ON DELETE SET NULL,
  -- Fencing number, incremented by each claim: the holder of an older number has lost the lease.
  lease_number integer NOT NULL DEFAULT 0,
  lease_worker text,
  lease_by jsonb,
  lease_expires_at timestamptz(3) CHECK (lease_expires_at IS NULL OR status = 'PROCESSING'),
  created_by jsonb,
  -- The persons who added it or changed its data (starters_of_change): its execution runs on their behalf.
  starters uuid[] NOT NULL DEFAULT '{}',
  moved_by jsonb,
  moved_note text,
  moved_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ready_rank integer GENERATED ALWAYS AS (
    CASE WHEN status IN ('PENDING', 'RETRYING') AND due_at IS NULL THEN priority END) STORED
);
-- Among existing items: deleting an item frees its externalId.
CREATE UNIQUE INDEX queue_items_external_id_key ON queue_items (queue_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX queue_items_queue_id_priority_created_at_id_idx ON queue_items (queue_id, priority DESC, created_at, id);
CREATE INDEX queue_items_queue_id_status_priority_created_at_id_idx
  ON queue_items (queue_id, status, priority DESC, created_at, id);
CREATE INDEX queue_items_ready_idx ON queue_items (queue_id, ready_rank DESC, created_at, id)
  WHERE ready_rank IS NOT NULL;
-- The oldest ready item, regardless of priority.
CREATE INDEX queue_items_oldest_ready_idx ON queue_items (queue_id, created_at) WHERE ready_rank IS NOT NULL;
-- Ready retries only: there may be few of them behind many other items.
CREATE INDEX queue_items_ready_retries_idx ON queue_items (queue_id, ready_rank DESC, created_at, id)
  WHERE ready_rank IS NOT NULL AND status = 'RETRYING';
CREATE INDEX queue_items_due_of_queue_idx ON queue_items (queue_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX queue_items_due_idx ON queue_items (workspace_bucket(workspace_id), due_at) WHERE due_at IS NOT NULL;
CREATE INDEX queue_items_lease_idx ON queue_items (workspace_bucket(workspace_id), lease_expires_at)
  WHERE lease_expires_at IS NOT NULL;
CREATE INDEX queue_items_execution_idx ON queue_items (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX queue_items_last_execution_idx ON queue_items (last_execution_id) WHERE last_execution_id IS NOT NULL;
CREATE INDEX queue_items_object_idx ON queue_items (object_id, priority DESC, created_at, id) WHERE object_id IS NOT NULL;
-- Ended items by time, for retention and for the first five minutes of a day's statistics.
CREATE INDEX queue_items_ended_idx ON queue_items (queue_id, processing_completed_at, status)
  WHERE status IN ('COMPLETED', 'FAILED', 'CANCELLED');

-- The searchable text. A table of its own, because each move rewrites an item's row in every index of queue_items.
CREATE TABLE queue_item_texts (
  item_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  queue_id uuid NOT NULL,
  text text NOT NULL
);
-- The plan depends on how rare the text is; the sample must recognize one item in a thousand.
ALTER TABLE queue_item_texts ALTER COLUMN text SET STATISTICS 1000;

-- Without pg_trgm, searches read every item of the queue. Without btree_gin, all queues share one index, and words that
-- are frequent elsewhere cost reads.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  BEGIN
    CREATE EXTENSION IF NOT EXISTS btree_gin;
    CREATE INDEX queue_items_search_idx ON queue_item_texts USING gin (queue_id, text gin_trgm_ops);
  EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
    RAISE NOTICE 'btree_gin is not there: searches of queue items share one index. Create the extension, then the index queue_items_search_idx as the migration does.';
    CREATE INDEX queue_items_search_idx ON queue_item_texts USING gin (text gin_trgm_ops);
  END;
EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
  RAISE NOTICE 'pg_trgm is not there: searches of queue items have no index. Create the extension, then the index queue_items_search_idx as the migration does.';
END $$;

CREATE TABLE queue_item_errors (
  id uuid PRIMARY KEY,
  ordinal bigserial NOT NULL,
  workspace_id uuid NOT NULL,
  item_id uuid NOT NULL REFERENCES queue_items ON DELETE CASCADE,
  message text NOT NULL,
  code text,
  details jsonb,
  attempt integer NOT NULL,
  -- No foreign key: the error may outlive the execution.
  execution_id uuid,
  by jsonb,
  at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX queue_item_errors_item_id_ordinal_idx ON queue_item_errors (item_id, ordinal);

-- Every move, written and deleted by triggers. No foreign key: it would read the item again for each move.
CREATE TABLE queue_item_moves (
  ordinal bigserial NOT NULL,
  workspace_id uuid NOT NULL,
  item_id uuid NOT NULL,
  "from" text NOT NULL,
  "to" text NOT NULL,
  note text,
  execution_id uuid,
  -- The name that the claim gave.
  worker text,
  by jsonb,
  id uuid,
  at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (item_id, ordinal)
);

-- Items per queue, status and priority band, as sums of rows: each write adds rows, so that writers never wait for each
-- other, and the reconciler merges them (is_sum).
CREATE TABLE queue_item_counts (
  id bigserial PRIMARY KEY,
  workspace_id uuid NOT NULL,
  queue_id uuid NOT NULL REFERENCES queues ON DELETE CASCADE,
  status text NOT NULL,
  band text NOT NULL,
  items bigint NOT NULL,
  -- Items with retries; items processed to an end, and their total time.
  retried bigint NOT NULL,
  processed bigint NOT NULL,
  processing_ms bigint NOT NULL,
  is_sum boolean NOT NULL DEFAULT false
);
CREATE INDEX queue_item_counts_queue_id_idx ON queue_item_counts (queue_id);
CREATE INDEX queue_item_counts_loose_idx ON queue_item_counts (queue_id) WHERE NOT is_sum;

-- Items that ended in each five minutes and are still ended, as sums like the counts; older ones are deleted.
CREATE TABLE queue_item_ends (
  id bigserial PRIMARY KEY,
  workspace_id uuid NOT NULL,
  queue_id uuid NOT NULL REFERENCES queues ON DELETE CASCADE,
  -- COMPLETED or FAILED.
  status text NOT NULL,
  -- The beginning of its five minutes.
  bucket timestamptz(3) NOT NULL,
  items bigint NOT NULL,
  is_sum boolean NOT NULL DEFAULT false
);
CREATE INDEX queue_item_ends_queue_id_status_bucket_idx ON queue_item_ends (queue_id, status, bucket);
CREATE INDEX queue_item_ends_loose_idx ON queue_item_ends (queue_id, status, bucket) WHERE NOT is_sum;
CREATE INDEX queue_item_ends_old_idx ON queue_item_ends (bucket) WHERE is_sum;

CREATE FUNCTION queue_item_ends_bucket(p_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin('5 minutes', p_at, '2000-01-01 00:00:00+00')
$$;

-- Statistics look back one day; the extra hour allows for a clock that is set back.
CREATE FUNCTION queue_item_ends_since() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT now() - interval '25 hours'
$$;

-- A test compares this with domain/queue/itemStatus.ts.
CREATE FUNCTION queue_item_band(p_priority integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_priority < 0 THEN 'low' WHEN p_priority < 10 THEN 'normal' WHEN p_priority < 100 THEN 'high'
    ELSE 'critical' END
$$;

-- Returns 0 if a clock was set back, NULL if a time is missing.
CREATE FUNCTION milliseconds_between(p_from timestamptz, p_to timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT greatest(0, round(extract(epoch FROM p_to - p_from) * 1000))::bigint
$$;

-- 17-queueItemWrites.sql
-- Writes of queue items.

-- Counts, moves and notifications of each statement. perdure_queue carries `<workspace> <queue> <due>`: items are ready
-- (`due` is empty), or the first is at that time (epoch ms), perhaps the end of a lease.
CREATE FUNCTION queue_items_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO queue_item_texts (item_id, workspace_id, queue_id, text)
  SELECT n.id, n.workspace_id, n.queue_id, queue_item_text(n.external_id, n.data, n.metadata) FROM new_items n;
  INSERT INTO queue_item_counts (workspace_id, queue_id, status, band, items, retried, processed, processing_ms)
  SELECT n.workspace_id, n.queue_id, n.status, queue_item_band(n.priority), count(*),
    count(*) FILTER (WHERE n.retry_count > 0),
    count(milliseconds_between(n.processing_started_at, n.processing_completed_at)),
    coalesce(sum(milliseconds_between(n.processing_started_at, n.processing_completed_at)), 0)
  FROM new_items n GROUP BY 1, 2, 3, 4;
  INSERT INTO queue_item_ends (workspace_id, queue_id, status, bucket, items)
  SELECT n.workspace_id, n.queue_id, n.status, queue_item_ends_bucket(n.processing_completed_at), count(*)
  FROM new_items n
  WHERE n.status IN ('COMPLETED', 'FAILED') AND n.processing_completed_at > queue_item_ends_since() GROUP BY 1, 2, 3, 4;
  PERFORM pg_notify('perdure_queue', concat(n.workspace_id, ' ', n.queue_id, ' ', round(extract(epoch FROM min(n.due_at)) * 1000)))
  FROM new_items n WHERE n.ready_rank IS NOT NULL OR n.due_at IS NOT NULL
  GROUP BY n.workspace_id, n.queue_id, n.due_at IS NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION queue_items_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO queue_item_counts (workspace_id, queue_id, status, band, items, retried, processed, processing_ms)
  SELECT c.workspace_id, c.queue_id, c.status, queue_item_band(c.priority), sum(c.sign),
    coalesce(sum(c.sign) FILTER (WHERE c.retry_count > 0), 0), coalesce(sum(c.sign) FILTER (WHERE c.ms IS NOT NULL), 0),
    coalesce(sum(c.sign * c.ms), 0)
  FROM (
    SELECT n.workspace_id, n.queue_id, n.status, n.priority, n.retry_count,
      milliseconds_between(n.processing_started_at, n.processing_completed_at) AS ms, 1 AS sign FROM new_items n
    UNION ALL
    SELECT o.workspace_id, o.queue_id, o.status, o.priority, o.retry_count,
      milliseconds_between(o.processing_started_at, o.processing_completed_at), -1 FROM old_items o
  ) c GROUP BY 1, 2, 3, 4
  HAVING sum(c.sign) <> 0 OR coalesce(sum(c.sign) FILTER (WHERE c.retry_count > 0), 0) <> 0
    OR coalesce(sum(c.sign) FILTER (WHERE c.ms IS NOT NULL), 0) <> 0 OR coalesce(sum(c.sign * c.ms), 0) <> 0;
  INSERT INTO queue_item_ends (workspace_id, queue_id, status, bucket, items)
  SELECT c.workspace_id, c.queue_id, c.status, queue_item_ends_bucket(c.ended_at), sum(c.sign)
  FROM (
    SELECT n.workspace_id, n.queue_id, n.status, n.processing_completed_at AS ended_at, 1 AS sign FROM new_items n
    UNION ALL
    SELECT o.workspace_id, o.queue_id, o.status, o.processing_completed_at, -1 FROM old_items o
  ) c WHERE c.status IN ('COMPLETED', 'FAILED') AND c.ended_at > queue_item_ends_since()
  GROUP BY 1, 2, 3, 4 HAVING sum(c.sign) <> 0;
  -- FULL JOIN with null-safe conditions: sessions keep the first plan, and nested loops are slow for a thousand items.
  INSERT INTO queue_item_moves (workspace_id, item_id, "from", "to", note, execution_id, worker, by, id)
  SELECT n.workspace_id, n.id, o.status, n.status, n.moved_note, coalesce(n.execution_id, o.execution_id),
    coalesce(n.lease_worker, o.lease_worker), n.moved_by, n.moved_id
  FROM new_items n FULL JOIN old_items o ON o.id = n.id WHERE n.status IS DISTINCT FROM o.status;
  PERFORM pg_notify('perdure_queue', concat(n.workspace_id, ' ', n.queue_id, ' ',
    round(extract(epoch FROM min(coalesce(n.due_at, n.lease_expires_at))) * 1000)))
  FROM new_items n FULL JOIN old_items o ON o.id = n.id
  -- Also for items that were ready before: claims skip items that another statement has locked.
  WHERE coalesce(n.ready_rank IS NOT NULL OR n.due_at IS NOT NULL AND n.due_at IS DISTINCT FROM o.due_at
    OR n.lease_expires_at IS NOT NULL AND n.lease_expires_at IS DISTINCT FROM o.lease_expires_at, false)
  GROUP BY n.workspace_id, n.queue_id, n.ready_rank IS NULL;
  IF current_setting('perdure.queue_item_texts_may_change', true) = 'true' THEN
    UPDATE queue_item_texts x SET text = queue_item_text(n.external_id, n.data, n.metadata)
    FROM new_items n
    WHERE x.item_id = n.id AND x.text <> queue_item_text(n.external_id, n.data, n.metadata);
  END IF;
  RETURN NULL;
END $$;

-- Flags that a column of the search text is set, until the transaction ends: moves set none, and need not compare data.
-- (A trigger with transition tables cannot name columns.)
CREATE FUNCTION queue_item_texts_may_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('perdure.queue_item_texts_may_change', 'true', true);
  RETURN NULL;
END $$;

-- Counts nothing if the queue is deleted too, because its counts go with it.
CREATE FUNCTION queue_items_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM queue_item_moves m USING old_items o WHERE m.item_id = o.id;
  DELETE FROM queue_item_texts x USING old_items o WHERE x.item_id = o.id;
  INSERT INTO queue_item_counts (workspace_id, queue_id, status, band, items, retried, processed, processing_ms)
  SELECT o.workspace_id, o.queue_id, o.status, queue_item_band(o.priority), -count(*),
    -count(*) FILTER (WHERE o.retry_count > 0),
    -count(milliseconds_between(o.processing_started_at, o.processing_completed_at)),
    -coalesce(sum(milliseconds_between(o.processing_started_at, o.processing_completed_at)), 0)
  FROM old_items o JOIN queues q ON q.id = o.queue_id GROUP BY 1, 2, 3, 4;
  INSERT INTO queue_item_ends (workspace_id, queue_id, status, bucket, items)
  SELECT o.workspace_id, o.queue_id, o.status, queue_item_ends_bucket(o.processing_completed_at), -count(*)
  FROM old_items o JOIN queues q ON q.id = o.queue_id
  WHERE o.status IN ('COMPLETED', 'FAILED') AND o.processing_completed_at > queue_item_ends_since() GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

CREATE TRIGGER queue_items_after_insert AFTER INSERT ON queue_items REFERENCING NEW TABLE AS new_items
FOR EACH STATEMENT EXECUTE FUNCTION queue_items_inserted();
CREATE TRIGGER queue_items_after_update AFTER UPDATE ON queue_items
REFERENCING NEW TABLE AS new_items OLD TABLE AS old_items
FOR EACH STATEMENT EXECUTE FUNCTION queue_items_updated();
CREATE TRIGGER queue_item_texts_may_change BEFORE UPDATE OF external_id, data, metadata ON queue_items
FOR EACH STATEMENT EXECUTE FUNCTION queue_item_texts_may_change();
CREATE TRIGGER queue_items_after_delete AFTER DELETE ON queue_items REFERENCING OLD TABLE AS old_items
FOR EACH STATEMENT EXECUTE FUNCTION queue_items_deleted();

-- PROCESSING items become RETRYING while retries remain, otherwise FAILED, with an entry in the error history. p_error:
-- {message, code?, details?}. Callers that depend on a lease or execution lock the rows earlier.
CREATE FUNCTION fail_queue_items(p_workspace uuid, p_items uuid[], p_error jsonb, p_execution uuid, p_by jsonb,
  p_id uuid DEFAULT NULL)
RETURNS TABLE (id uuid, queue_id uuid, status text, next_retry_at timestamptz) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY WITH present AS MATERIALIZED (
    SELECT i.id, i.retry_count < coalesce(i.max_retries, q.max_retries) AS again,
      now() + make_interval(secs => 60 * coalesce(i.retry_delay_minutes, q.retry_delay_minutes)) AS retry_at
    FROM queue_items i JOIN queues q ON q.id = i.queue_id
    WHERE i.id = ANY (p_items) AND i.workspace_id = p_workspace AND i.status = 'PROCESSING'
    ORDER BY i.id FOR NO KEY UPDATE OF i
  ), failed AS (
    UPDATE queue_items i SET
      status = CASE WHEN p.again THEN 'RETRYING' ELSE 'FAILED' END,
      retry_count = i.retry_count + CASE WHEN p.again THEN 1 ELSE 0 END,
      next_retry_at = CASE WHEN p.again THEN p.retry_at END,
      due_at = CASE WHEN p.again AND p.retry_at > now() THEN p.retry_at END,
      processing_completed_at = CASE WHEN p.again THEN NULL ELSE now() END,
      last_error = p_error ->> 'message', last_error_at = now(),
      execution_id = NULL, lease_worker = NULL, lease_by = NULL, lease_expires_at = NULL,
      moved_by = p_by, moved_note = NULL, moved_id = NULL, updated_at = now()
    FROM present p WHERE i.id = p.id
    RETURNING i.id, i.queue_id, i.status, i.next_retry_at, i.last_execution_id, i.retry_count + CASE WHEN p.again THEN 0 ELSE 1 END AS attempt
  ), kept AS (
    INSERT INTO queue_item_errors (id, workspace_id, item_id, message, code, details, attempt, execution_id, by)
    SELECT coalesce(p_id, uuid_v7_of_now()), p_workspace, f.id, coalesce(p_error ->> 'message', 'The item failed'), p_error ->> 'code', p_error -> 'details',
      f.attempt, coalesce(p_execution, f.last_execution_id), p_by
    FROM failed f
  )
  SELECT f.id, f.queue_id, f.status, f.next_retry_at FROM failed f;
END $$;

-- In order, with a lease (lease.ts); skips locked rows. At most p_bytes of data and metadata, but at least one item.
-- Generic plans: planning each call would take longer than the claim.
CREATE FUNCTION claim_queue_items(
  p_workspace uuid, p_queue uuid, p_limit integer, p_bytes bigint, p_lease_ms float8, p_worker text, p_by jsonb,
  p_move uuid
) RETURNS SETOF queue_items LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_items uuid[];
BEGIN
  PERFORM FROM queues q WHERE q.id = p_queue AND q.workspace_id = p_workspace AND q.is_active;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT array_agg(c.id) INTO v_items FROM (
    SELECT r.id, row_number() OVER line AS place, sum(r.bytes) OVER line AS total FROM (
      SELECT * FROM (
        SELECT i.id, i.priority, i.created_at, octet_length(i.data::text) + octet_length(i.metadata::text) AS bytes
        FROM queue_items i WHERE i.queue_id = p_queue AND i.ready_rank IS NOT NULL
        ORDER BY i.ready_rank DESC, i.created_at, i.id LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) in_line
      UNION ALL
      SELECT * FROM (
        SELECT i.id, i.priority, i.created_at, octet_length(i.data::text) + octet_length(i.metadata::text)
        FROM queue_items i WHERE i.queue_id = p_queue AND i.due_at <= now()
        ORDER BY i.priority DESC, i.created_at, i.id LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) now_due
    ) r WINDOW line AS (ORDER BY r.priority DESC, r.created_at, r.id)
  ) c WHERE c.place <= p_limit AND (c.place = 1 OR c.total <= p_bytes);
  IF v_items IS NULL THEN RETURN; END IF;
  RETURN QUERY UPDATE queue_items t SET
    status = 'PROCESSING', processing_started_at = now(), processing_completed_at = NULL, next_retry_at = NULL, due_at = NULL,
    lease_expires_at = now() + make_interval(secs => p_lease_ms / 1000), lease_number = t.lease_number + 1,
    lease_worker = p_worker, lease_by = p_by, moved_by = p_by, moved_note = NULL, moved_id = p_move,
    updated_at = now()
  WHERE t.id = ANY (v_items) RETURNING t.*;
END $$;

-- 18-queueBatches.sql
-- Batches of queue items.

-- A batch counts towards the queue's max_concurrent until its execution has ended.
ALTER TABLE executions ADD COLUMN queue_id uuid REFERENCES queues ON DELETE SET NULL;
CREATE INDEX executions_queue_idx ON executions (queue_id) WHERE queue_id IS NOT NULL;
CREATE INDEX executions_open_batches_idx ON executions (queue_id) WHERE queue_id IS NOT NULL AND stopped_at IS NULL;

-- The workflows that drain each queue, kept by the trigger below.
CREATE TABLE queue_consumers (
  workflow_id uuid PRIMARY KEY REFERENCES workflows ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  queue_id uuid NOT NULL REFERENCES queues ON DELETE CASCADE,
  -- NULL: the queue's.
  batch_size integer,
  -- Time of its latest batch: the workflow that has waited longest is next.
  served_at timestamptz(3)
);
CREATE INDEX queue_consumers_queue_id_idx ON queue_consumers (queue_id);

-- Like a ready item, because the workflow may be new, active or resumed. The fourth word voids the cached consumers.
CREATE FUNCTION mark_queue_consumer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_queue uuid;
BEGIN
  IF TG_OP = 'INSERT' OR NEW.version_id IS DISTINCT FROM OLD.version_id THEN
    DELETE FROM queue_consumers c WHERE c.workflow_id = NEW.id;
    INSERT INTO queue_consumers (workflow_id, workspace_id, queue_id, batch_size)
    SELECT NEW.id, NEW.workspace_id, q.id, (v.definition #>> '{trigger,config,batchSize}')::integer
    FROM workflow_versions v JOIN queues q
      ON q.id = (v.definition #>> '{trigger,config,queueId}')::uuid AND q.workspace_id = NEW.workspace_id
    WHERE v.id = NEW.version_id AND v.definition #>> '{trigger,type}' = 'queue';
  END IF;
  SELECT c.queue_id INTO v_queue FROM queue_consumers c WHERE c.workflow_id = NEW.id;
  IF FOUND THEN PERFORM pg_notify('perdure_queue', NEW.workspace_id || ' ' || v_queue || '  consumers'); END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER workflows_mark_queue_consumer
AFTER INSERT OR UPDATE OF version_id, is_active, is_paused, max_concurrent, name, project_id ON workflows
FOR EACH ROW EXECUTE FUNCTION mark_queue_consumer();

-- Ready items become executions of a workflow (takeBatches.ts): one per id in p_executions, as far as items and room
-- allow. One call, so that a crash can neither leave a claimed item without an execution nor give it to two. A batch is
-- limited by the batch size and p_bytes, but has at least one item.
CREATE FUNCTION take_queue_batches(
  p_workspace uuid, p_queue uuid, p_workflow uuid, p_version uuid, p_variables text[], p_executions uuid[], p_bytes bigint,
  p_labels jsonb
) RETURNS TABLE (
  "executionId" uuid, name text, "projectId" uuid, number integer, variables jsonb, "startedAt" timestamptz, "timeoutMs" float8,
  limited boolean, trigger jsonb)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_queue queues%ROWTYPE;
  v_workflow workflows%ROWTYPE;
  v_size integer;
  v_room integer;
  v_execution uuid;
  v_items uuid[];
  v_trigger jsonb;
BEGIN
  SELECT * INTO v_queue FROM queues q
  WHERE q.id = p_queue AND q.workspace_id = p_workspace AND q.is_active AND q.deleted_at IS NULL
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT * INTO v_workflow FROM workflows w
  WHERE w.id = p_workflow AND w.workspace_id = p_workspace AND w.version_id = p_version AND w.is_active;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT coalesce(c.batch_size, v_queue.batch_size) INTO v_size FROM queue_consumers c
  WHERE c.workflow_id = p_workflow AND c.queue_id = p_queue;
  IF NOT FOUND THEN RETURN; END IF;

  v_room := least(cardinality(p_executions), v_queue.max_concurrent - (
    SELECT count(*) FROM executions e WHERE e.queue_id = p_queue AND e.stopped_at IS NULL));
  IF v_room > 0 AND (v_workflow.is_paused OR v_workflow.max_concurrent IS NOT NULL) THEN
    SELECT least(v_room, g.room) INTO v_room FROM workflow_gate(p_workspace, p_workflow, true) g;
  END IF;

  FOR v_turn IN 1 .. v_room LOOP
    v_execution := p_executions[v_turn];
    SELECT array_agg(b.id ORDER BY b.place), jsonb_build_object('items', jsonb_agg(b.item ORDER BY b.place))
    INTO v_items, v_trigger
    FROM (
      SELECT r.id, r.item, row_number() OVER line AS place, sum(r.bytes) OVER line AS total
      FROM (
        SELECT i.id, i.ready_rank, i.created_at, octet_length(i.data::text) + octet_length(i.metadata::text) AS bytes,
          jsonb_build_object('id', i.id, 'externalId', i.external_id, 'data', i.data, 'metadata', i.metadata,
            'priority', i.priority, 'objectId', i.object_id, 'retryCount', i.retry_count,
            'createdAt', to_char(i.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item
        FROM queue_items i WHERE i.queue_id = p_queue AND i.ready_rank IS NOT NULL
        ORDER BY i.ready_rank DESC, i.created_at, i.id LIMIT v_size FOR UPDATE SKIP LOCKED
      ) r WINDOW line AS (ORDER BY r.ready_rank DESC, r.created_at, r.id)
    ) b WHERE b.place = 1 OR b.total <= p_bytes;
    EXIT WHEN v_items IS NULL;

    SELECT s.name, s."projectId", s.number, s.variables, s."startedAt", s."timeoutMs", s.limited
    INTO name, "projectId", number, variables, "startedAt", "timeoutMs", limited
    FROM accept_execution(p_workspace, p_workflow, p_version, v_execution, v_trigger, p_variables, NULL, 'queue', NULL,
      NULL, p_queue, p_labels, p_starters => ARRAY(
        SELECT DISTINCT p.id FROM queue_items i, unnest(i.starters) AS p(id) WHERE i.id = ANY (v_items) ORDER BY p.id)) s;
    EXIT WHEN NOT FOUND;
    UPDATE queue_items i SET
      status = 'PROCESSING', execution_id = v_execution, last_execution_id = v_execution, processing_started_at = now(),
      processing_completed_at = NULL, next_retry_at = NULL, due_at = NULL, moved_note = NULL, moved_id = NULL,
      updated_at = now(), moved_by = jsonb_build_object('type', 'execution', 'id', v_execution)
    WHERE i.id = ANY (v_items);
    "executionId" := v_execution;
    trigger := v_trigger;
    RETURN NEXT;
  END LOOP;
  UPDATE queue_consumers c SET served_at = clock_timestamp()
  WHERE c.workflow_id = p_workflow AND "executionId" IS NOT NULL
    AND EXISTS (SELECT FROM queue_consumers o WHERE o.queue_id = p_queue AND o.workflow_id <> p_workflow);
END $$;

-- Items that the workflow has not settled. No reason if the execution has secrets, which it might reveal.
CREATE FUNCTION settle_queue_batch() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_message text;
BEGIN
  IF NEW.status = 'COMPLETED' THEN
    -- In id order, like all writers of several items, so that two such statements cannot deadlock.
    WITH own AS MATERIALIZED (
      SELECT i.id FROM queue_items i WHERE i.execution_id = NEW.id AND i.status = 'PROCESSING'
      ORDER BY i.id FOR NO KEY UPDATE
    )
    UPDATE queue_items i SET
      status = 'COMPLETED', processing_completed_at = now(), execution_id = NULL, moved_note = NULL, moved_id = NULL,
      moved_by = jsonb_build_object('type', 'execution', 'id', NEW.id), updated_at = now()
    FROM own WHERE i.id = own.id;
  ELSE
    v_message := CASE NEW.status WHEN 'FAILED' THEN 'The execution failed' WHEN 'CANCELLED' THEN 'The execution was cancelled'
      ELSE 'The execution took too long' END;
    IF NEW.status_message IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM execution_secrets s WHERE s.root_id = coalesce(NEW.root_id, NEW.id) AND s.connection_id IS NULL
    ) THEN
      v_message := v_message || ': ' || NEW.status_message;
    END IF;
    PERFORM fail_queue_items(NEW.workspace_id,
      ARRAY(SELECT i.id FROM queue_items i WHERE i.execution_id = NEW.id AND i.status = 'PROCESSING' ORDER BY i.id),
      jsonb_build_object('message', v_message, 'code', 'EXECUTION_' || NEW.status), NEW.id,
      jsonb_build_object('type', 'execution', 'id', NEW.id));
  END IF;
  PERFORM pg_notify('perdure_queue', NEW.workspace_id || ' ' || NEW.queue_id || ' ');
  RETURN NULL;
END $$;

CREATE TRIGGER executions_settle_queue_batch AFTER UPDATE OF status ON executions
FOR EACH ROW WHEN (NEW.queue_id IS NOT NULL AND NEW.status IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
  AND OLD.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'))
EXECUTE FUNCTION settle_queue_batch();

-- The end of an execution outside batches (a retry) makes room for one, and so may the release of a held one.
CREATE FUNCTION tell_queue_of_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('perdure_queue', c.workspace_id || ' ' || c.queue_id || ' ')
  FROM queue_consumers c WHERE c.workflow_id = NEW.workflow_id;
  RETURN NULL;
END $$;

CREATE TRIGGER executions_tell_queue_of_room AFTER UPDATE OF status, held ON executions
FOR EACH ROW WHEN (NEW.limited AND NEW.queue_id IS NULL AND (OLD.held AND NOT NEW.held
  OR NEW.status IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
    AND OLD.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')))
EXECUTE FUNCTION tell_queue_of_room();

-- 19-agents.sql
-- Agents.

-- An upsert sets `definition` (domain/agent/definition.ts) as a whole and keeps other columns that it omits. Its ids
-- have no foreign keys: what was deleted is left out when the agent runs.
CREATE TABLE agents (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  definition jsonb NOT NULL,
  hash bytea NOT NULL,
  -- Like workflow_versions.named.
  named text[] NOT NULL DEFAULT '{}',
  managed_by_code boolean NOT NULL DEFAULT true,
  applied_owner text,
  builder_setup_completed_at timestamptz(3),
  builder_canvas_positions jsonb,
  -- The agent's own addition to its instructions, until an upsert changes the agent.
  self_instructions text,
  self_instructions_version integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX agents_named_idx ON agents USING gin (named);
CREATE UNIQUE INDEX agents_project_id_slug_key ON agents (project_id, slug);
CREATE INDEX agents_workspace_id_updated_at_id_idx ON agents (workspace_id, updated_at DESC, id DESC);

-- The latest versions of self_instructions. No foreign key to the run, which may be deleted.
CREATE TABLE agent_self_instructions (
  agent_id uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
  version integer NOT NULL,
  instructions text NOT NULL,
  run_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (agent_id, version)
);

-- For a user, an API key, or all callers (both NULL). Facts of a user are deleted with the membership.
CREATE TABLE agent_memories (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
  user_id uuid,
  api_key_id uuid REFERENCES api_keys ON DELETE CASCADE CHECK (num_nonnulls(user_id, api_key_id) <= 1),
  fact text NOT NULL,
  -- SHA-256 of the fact.
  digest bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When it was last remembered.
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (workspace_id, user_id) REFERENCES workspace_users ON DELETE CASCADE
);
-- An expression, because NULLs are distinct.
CREATE UNIQUE INDEX agent_memories_fact_idx ON agent_memories (agent_id, (coalesce(user_id, api_key_id, agent_id)), digest);
CREATE INDEX agent_memories_agent_id_updated_at_idx ON agent_memories (agent_id, updated_at);
CREATE INDEX agent_memories_workspace_id_user_id_idx ON agent_memories (workspace_id, user_id);
CREATE INDEX agent_memories_api_key_id_idx ON agent_memories (api_key_id);

-- At most p_most live facts per scope: NULL if there is no room. Writes of one scope take turns.
CREATE FUNCTION remember_fact(
  p_id uuid, p_workspace uuid, p_agent uuid, p_user uuid, p_key uuid, p_days integer, p_fact text, p_digest bytea, p_most integer
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(concat(p_agent, ' ', coalesce(p_user, p_key, p_agent)), 0));
  INSERT INTO agent_memories AS m (id, workspace_id, agent_id, user_id, api_key_id, fact, digest)
  SELECT p_id, p_workspace, p_agent, p_user, p_key, p_fact, p_digest
  WHERE (SELECT count(*) FROM agent_memories m WHERE m.workspace_id = p_workspace AND m.agent_id = p_agent
    AND m.user_id IS NOT DISTINCT FROM p_user AND m.api_key_id IS NOT DISTINCT FROM p_key AND m.digest <> p_digest
    AND (p_days IS NULL OR m.updated_at > now() - make_interval(days => p_days))) < p_most
  ON CONFLICT (agent_id, (coalesce(user_id, api_key_id, agent_id)), digest) DO UPDATE SET updated_at = now()
  RETURNING m.id INTO v_id;
  RETURN v_id;
END $$;

-- The right of a user or API key without agents:read to use an agent.
CREATE TABLE share_grants (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  api_key_id uuid REFERENCES api_keys ON DELETE CASCADE CHECK (num_nonnulls(user_id, api_key_id) = 1),
  hourly_message_cap integer NOT NULL DEFAULT 60 CHECK (hourly_message_cap BETWEEN 0 AND 100000),
  expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX share_grants_agent_id_user_id_key ON share_grants (agent_id, user_id);
CREATE UNIQUE INDEX share_grants_agent_id_api_key_id_key ON share_grants (agent_id, api_key_id);
CREATE INDEX share_grants_user_id_idx ON share_grants (user_id);
CREATE INDEX share_grants_api_key_id_idx ON share_grants (api_key_id);

CREATE TRIGGER share_grants_tell_access AFTER DELETE OR UPDATE ON share_grants
  FOR EACH ROW EXECUTE FUNCTION tell_access();

-- Messages of the last hour, by run; they outlive tasks. No foreign key: the run's id is chosen before the run exists.
CREATE TABLE grant_messages (
  grant_id uuid NOT NULL REFERENCES share_grants ON DELETE CASCADE,
  run_id uuid NOT NULL,
  accepted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (grant_id, run_id)
);

-- In the statement that accepts a message. No row: no live grant. Not `taken`: the cap of the last 60 minutes is
-- reached, with the time to retry. A run counts once.
CREATE FUNCTION take_grant_message(p_workspace uuid, p_agent uuid, p_user uuid, p_api_key uuid, p_run uuid)
RETURNS TABLE (taken boolean, "retryAfterMs" bigint) LANGUAGE plpgsql AS $$
DECLARE
  v_grant share_grants;
  v_now timestamptz(3);
  v_frees timestamptz(3);
BEGIN
  SELECT g.* INTO v_grant FROM share_grants g
  WHERE g.workspace_id = p_workspace AND g.agent_id = p_agent AND (g.user_id = p_user OR g.api_key_id = p_api_key)
  FOR NO KEY UPDATE;
  -- Not now(), which is when the transaction began: it may have waited.
  v_now := clock_timestamp();
  IF NOT FOUND OR v_grant.expires_at <= v_now THEN RETURN; END IF;
  DELETE FROM grant_messages m WHERE m.grant_id = v_grant.id AND m.accepted_at <= v_now - interval '1 hour';
  taken := EXISTS (SELECT FROM grant_messages m WHERE m.grant_id = v_grant.id AND m.run_id = p_run);
  IF NOT taken THEN
    -- The message that must become an hour old before there is room.
    SELECT m.accepted_at INTO v_frees FROM grant_messages m WHERE m.grant_id = v_grant.id
    ORDER BY m.accepted_at DESC OFFSET greatest(v_grant.hourly_message_cap - 1, 0) LIMIT 1;
    taken := v_frees IS NULL AND v_grant.hourly_message_cap > 0;
    IF taken THEN INSERT INTO grant_messages VALUES (v_grant.id, p_run, v_now); END IF;
  END IF;
  "retryAfterMs" := CASE WHEN NOT taken
    THEN greatest(1, extract(epoch FROM coalesce(v_frees, v_now) + interval '1 hour' - v_now) * 1000)::bigint END;
  RETURN NEXT;
END $$;

CREATE TRIGGER agents_tell_new_tool AFTER INSERT ON agents FOR EACH ROW
WHEN (jsonb_typeof(NEW.definition -> 'exposeAsTool') = 'object') EXECUTE FUNCTION tell_tools();
CREATE TRIGGER agents_tell_tools AFTER UPDATE ON agents FOR EACH ROW
WHEN ((OLD.definition -> 'exposeAsTool', OLD.slug, OLD.name)
  IS DISTINCT FROM (NEW.definition -> 'exposeAsTool', NEW.slug, NEW.name)) EXECUTE FUNCTION tell_tools();
CREATE TRIGGER agents_tell_lost_tool AFTER DELETE ON agents FOR EACH ROW
WHEN (jsonb_typeof(OLD.definition -> 'exposeAsTool') = 'object') EXECUTE FUNCTION tell_tools();
CREATE TRIGGER agents_count_revision BEFORE UPDATE ON agents FOR EACH ROW EXECUTE FUNCTION count_revision();

-- 20-tasks.sql
-- Tasks and turns.

-- `client_id`: the id in the API, unique per agent only, so foreign keys use `id`. `identifier_scope`: '' for callers
-- who see all tasks, otherwise the caller; a custom_identifier is unique in it. A task of a call between agents belongs
-- to the caller's conversation and is deleted with it.
CREATE TABLE tasks (
  id uuid PRIMARY KEY,
  client_id text NOT NULL CHECK (client_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  agent_id uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
  name text,
  description text,
  custom_identifier text,
  identifier_scope text NOT NULL DEFAULT '',
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  created_by_api_key_id uuid REFERENCES api_keys ON DELETE SET NULL,
  parent_task_id uuid REFERENCES tasks ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  last_activity_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Usage of the model call that named it, if any.
  naming_usage jsonb
);
CREATE UNIQUE INDEX tasks_agent_id_client_id_key ON tasks (agent_id, client_id);
-- For paths without an agent.
CREATE INDEX tasks_workspace_id_client_id_idx ON tasks (workspace_id, client_id);
CREATE INDEX tasks_workspace_id_updated_at_id_idx ON tasks (workspace_id, updated_at DESC, id DESC);
CREATE INDEX tasks_agent_id_updated_at_id_idx ON tasks (agent_id, updated_at DESC, id DESC);
CREATE INDEX tasks_created_by_user_id_idx ON tasks (created_by_user_id, updated_at DESC, id DESC);
CREATE INDEX tasks_created_by_api_key_id_idx ON tasks (created_by_api_key_id, updated_at DESC, id DESC);
CREATE INDEX tasks_parent_task_id_idx ON tasks (parent_task_id, updated_at DESC, id DESC);
CREATE INDEX tasks_last_activity_idx ON tasks (last_activity_at, id) WHERE parent_task_id IS NULL;
CREATE UNIQUE INDEX tasks_custom_identifier_key ON tasks (agent_id, custom_identifier, identifier_scope)
  WHERE custom_identifier IS NOT NULL;

-- Messages of a task; parts as in the `ai` package. No foreign key for run_id, which is chosen before the run exists.
CREATE TABLE task_messages (
  task_id uuid NOT NULL REFERENCES tasks ON DELETE CASCADE,
  id text NOT NULL CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  position bigint NOT NULL,
  role text NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
  parts jsonb NOT NULL,
  metadata jsonb,
  run_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (task_id, id)
);
CREATE INDEX task_messages_task_id_position_idx ON task_messages (task_id, position);

-- A turn, with the id of its Temporal workflow. One of a task runs, others are QUEUED. `attempt` fences model calls:
-- chunks of older ones are ignored. `sequence`: the latest chunk group; a continuing turn starts at first_sequence.
CREATE TABLE task_runs (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  task_id uuid NOT NULL REFERENCES tasks ON DELETE CASCADE,
  number integer NOT NULL,
  status text NOT NULL,
  -- The assistant message that this turn creates or continues.
  message_id text NOT NULL,
  -- Answers to approvals with which it resumes.
  approvals jsonb,
  attempt integer NOT NULL DEFAULT 0,
  first_sequence integer NOT NULL DEFAULT 0,
  sequence integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 0,
  -- [{step, finishReason, usage, goesOn}] of the ended model calls.
  steps jsonb NOT NULL,
  -- Tools of MCP servers at its beginning (domain/agent/mcpTool.ts), until no turn can continue its message.
  mcp_tools jsonb,
  usage jsonb,
  finish_reason text,
  -- Code of a failure.
  code text,
  -- {code, message, retryAfterMs?} of a failure, or of the latest failed model call, which is retried at retry_at.
  error jsonb,
  retry_at timestamptz(3),
  -- {toolResults, messages} that the latest model call did not get, or not in full.
  context_trimmed jsonb,
  -- The request's maximum of tokens after its provider rejected a longer one; otherwise the agent's.
  context_tokens integer,
  stop_requested_at timestamptz(3),
  request_id text,
  -- Like executions.trace.
  trace text CHECK (length(trace) <= 600),
  -- The requester, if not a person: a turn through a tool call, or an execution through the action agent.run.
  parent_run_id uuid REFERENCES task_runs ON DELETE SET NULL,
  parent_execution_id uuid REFERENCES executions ON DELETE SET NULL,
  -- {executionId, nodeId, iteration, host?} of the step that waits for it, or for the turn that requested it.
  step jsonb,
  -- Persons (person_of): the message's author, those who answered approvals, and those of the requester.
  starters uuid[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When it left the queue, and when the engine began it.
  started_at timestamptz(3),
  begun_at timestamptz(3),
  finished_at timestamptz(3),
  -- When its chunks were deleted: the message contains them.
  forgotten_at timestamptz(3),
  reconciled_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Until then each group of chunks notifies, for a follower.
  followed_until timestamptz(3),
  UNIQUE (task_id, number)
);
-- Turns that still have chunks, for their deletion.
CREATE INDEX task_runs_unforgotten_idx ON task_runs (finished_at) WHERE finished_at IS NOT NULL AND forgotten_at IS NULL;
-- Ended turns in order, for traces.
CREATE INDEX task_runs_finished_idx ON task_runs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX task_runs_running_idx ON task_runs (workspace_bucket(workspace_id), reconciled_at) WHERE status = 'RUNNING';
CREATE INDEX task_runs_open_of_executions_idx ON task_runs (parent_execution_id)
  WHERE status IN ('QUEUED', 'RUNNING', 'NEEDS_APPROVAL') AND parent_execution_id IS NOT NULL;
CREATE INDEX task_runs_parent_run_id_idx ON task_runs (parent_run_id);
CREATE INDEX task_runs_parent_execution_id_idx ON task_runs (parent_execution_id);
-- Lists of tasks by what their latest turn waits for or failed with. Turns that complete are never written here.
CREATE INDEX task_runs_stuck_idx ON task_runs (workspace_id, status, task_id)
  WHERE status IN ('NEEDS_APPROVAL', 'FAILED', 'STOPPED');
CREATE UNIQUE INDEX task_runs_one_running_idx ON task_runs (task_id) WHERE status = 'RUNNING';

-- In groups, in the wire format. Deleted some time after the message is stored, so that followers can finish.
CREATE TABLE run_chunks (
  run_id uuid NOT NULL REFERENCES task_runs ON DELETE CASCADE,
  sequence integer NOT NULL,
  step integer NOT NULL,
  attempt integer NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, sequence)
);

-- Valid tool calls. An action runs as an execution, whose id is chosen before it exists: no foreign key.
CREATE TABLE run_tool_calls (
  run_id uuid NOT NULL REFERENCES task_runs ON DELETE CASCADE,
  tool_call_id text NOT NULL,
  step integer NOT NULL,
  position integer NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  input jsonb NOT NULL,
  -- The text that a person approves (activities/agents/shownTool.ts); the answer covers nothing else.
  shown text,
  output jsonb,
  error text,
  execution_id uuid,
  -- The model reads a large output by this id, because its message does not contain it.
  result_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  PRIMARY KEY (run_id, tool_call_id)
);
CREATE UNIQUE INDEX run_tool_calls_result_id_key ON run_tool_calls (result_id) WHERE result_id IS NOT NULL;
CREATE INDEX run_tool_calls_execution_id_idx ON run_tool_calls (execution_id) WHERE execution_id IS NOT NULL;

-- 0 for anything but a whole number from 0 on, which an older version may have stored.
CREATE FUNCTION tokens_in(p_usage jsonb, p_name text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_usage ->> p_name ~ '^\d{1,15}(\.\d+)?$' THEN round((p_usage ->> p_name)::numeric)::bigint ELSE 0 END
$$;

-- 21-turns.sql
-- Writes of turns.

-- Returns those on whose behalf a turn runs. p_run is its workflow's id, which is also the run's.
CREATE FUNCTION starters_of_turn(p_workspace uuid, p_run text) RETURNS uuid[] STABLE LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT r.starters FROM task_runs r WHERE r.id = p_run::uuid AND r.workspace_id = p_workspace);
END $$;

-- The conversation continues without them, and no turn continues the message.
CREATE FUNCTION deny_unanswered(p_task uuid, p_message text, p_reason text) RETURNS void LANGUAGE sql AS $$
  UPDATE task_runs r SET mcp_tools = NULL WHERE r.task_id = p_task AND r.message_id = p_message AND r.mcp_tools IS NOT NULL;
  UPDATE task_messages m SET parts = (
    SELECT jsonb_agg(CASE WHEN x.part->>'state' = 'approval-requested' THEN x.part || jsonb_build_object(
      'state', 'output-denied', 'approval', x.part->'approval'
        || jsonb_build_object('approved', false, 'reason', p_reason)) ELSE x.part END ORDER BY x.place)
    FROM jsonb_array_elements(m.parts) WITH ORDINALITY AS x(part, place))
  WHERE m.task_id = p_task AND m.id = p_message AND m.parts @> '[{"state": "approval-requested"}]';
$$;

-- Accepts a turn under the task's lock (acceptTurn.ts): the task if it is new, the user's message and the run. p_turn:
-- {kind, messageId, message?, replaces?, target?, answers?, queues, requestId, userId?, apiKeyId?, granted, own?,
-- parentRunId?, parentTaskId?, parentExecutionId?, step?}. `granted` callers see only their own tasks, and messages
-- count against their grant. `own`: a derived id, which nobody else may have created. A turn's user message has twice
-- its number, the assistant's comes after it. Returns accepted, attached (to a running turn), or why nothing was
-- written: absent (the task is another's, or no live grant), capped, busy, unknown (the named message), exists (the
-- message), unasked.
CREATE FUNCTION accept_turn(p_workspace uuid, p_agent uuid, p_task text, p_run uuid, p_turn jsonb)
RETURNS TABLE (outcome text, "runId" uuid, revision integer, status text, "retryAfterMs" bigint) LANGUAGE plpgsql AS $$
DECLARE
  v_granted boolean := (p_turn->>'granted')::boolean;
  v_user uuid := (p_turn->>'userId')::uuid;
  v_api_key uuid := (p_turn->>'apiKeyId')::uuid;
  v_parent uuid := (p_turn->>'parentTaskId')::uuid;
  v_task uuid;
  v_taken boolean;
  v_wait bigint;
  v_is_new boolean;
  v_kind text := p_turn->>'kind';
  v_open task_runs;
  v_last task_runs;
  v_same task_runs;
  v_from bigint;
  v_number integer;
  v_message_id text := p_turn->>'messageId';
BEGIN
  IF v_granted AND NOT EXISTS (SELECT FROM share_grants g WHERE g.workspace_id = p_workspace AND g.agent_id = p_agent
    AND (g.user_id = v_user OR g.api_key_id = v_api_key) AND (g.expires_at IS NULL OR g.expires_at > clock_timestamp())) THEN
    RETURN QUERY SELECT 'absent', NULL::uuid, 0, NULL::text, NULL::bigint;
    RETURN;
  END IF;
  INSERT INTO tasks (id, client_id, workspace_id, agent_id, created_by_user_id, created_by_api_key_id, parent_task_id)
  SELECT gen_random_uuid(), p_task, p_workspace, a.id, v_user, v_api_key, v_parent FROM agents a
  WHERE a.id = p_agent AND a.workspace_id = p_workspace AND v_kind = 'message'
  ON CONFLICT (agent_id, client_id) DO NOTHING;
  v_is_new := FOUND;
  SELECT t.id INTO v_task FROM tasks t WHERE t.agent_id = p_agent AND t.client_id = p_task AND t.workspace_id = p_workspace
    AND (NOT v_granted OR t.created_by_user_id = v_user OR t.created_by_api_key_id = v_api_key)
    AND ((p_turn->>'own')::boolean IS NOT TRUE OR t.created_by_user_id IS NULL AND t.created_by_api_key_id IS NULL
      AND t.parent_task_id IS NOT DISTINCT FROM v_parent)
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'absent', NULL::uuid, 0, NULL::text, NULL::bigint;
    RETURN;
  END IF;
  SELECT * INTO v_same FROM task_runs r WHERE r.id = p_run;
  IF FOUND THEN
    RETURN QUERY SELECT 'accepted', v_same.id, v_same.revision, v_same.status, NULL::bigint;
    RETURN;
  END IF;
  SELECT * INTO v_open FROM task_runs r WHERE r.task_id = v_task AND r.status = 'RUNNING';
  IF v_open.id IS NOT NULL AND NOT (p_turn->>'queues')::boolean THEN
    RETURN QUERY SELECT 'attached', v_open.id, v_open.revision, v_open.status, NULL::bigint;
    RETURN;
  END IF;
  SELECT * INTO v_last FROM task_runs r WHERE r.task_id = v_task ORDER BY r.number DESC LIMIT 1;
  v_number := COALESCE(v_last.number, 0) + 1;

  IF v_open.id IS NOT NULL AND (v_kind <> 'message' OR (p_turn->>'replaces')::boolean) THEN
    RETURN QUERY SELECT 'busy', v_open.id, v_open.revision, v_open.status, NULL::bigint;
    RETURN;
  END IF;
  IF v_kind = 'approval' THEN
    IF v_last.status IS DISTINCT FROM 'NEEDS_APPROVAL' OR v_last.message_id <> COALESCE(p_turn->>'target', v_last.message_id) THEN
      RETURN QUERY SELECT 'unasked', NULL::uuid, 0, NULL::text, NULL::bigint;
      RETURN;
    END IF;
    v_message_id := v_last.message_id;
  ELSIF v_kind = 'regenerate' THEN
    -- The named assistant message, the answer to the named user message, or the latest answer.
    SELECT m.position + CASE WHEN m.role = 'user' THEN 1 ELSE 0 END INTO v_from FROM task_messages m
    WHERE m.task_id = v_task AND (p_turn->>'target' IS NULL OR m.id = p_turn->>'target')
    ORDER BY m.position DESC LIMIT 1;
    IF v_from IS NULL OR NOT EXISTS (
      SELECT FROM task_messages m WHERE m.task_id = v_task AND m.position < v_from AND m.role = 'user') THEN
      RETURN QUERY SELECT 'unknown', NULL::uuid, 0, NULL::text, NULL::bigint;
      RETURN;
    END IF;
  ELSE
    SELECT m.position INTO v_from FROM task_messages m WHERE m.task_id = v_task AND m.id = p_turn->'message'->>'id';
    IF v_from IS NOT NULL AND NOT (p_turn->>'replaces')::boolean THEN
      RETURN QUERY SELECT 'exists', m.run_id, 0, NULL::text, NULL::bigint FROM task_messages m
        WHERE m.task_id = v_task AND m.id = p_turn->'message'->>'id';
      RETURN;
    END IF;
  END IF;

  -- Only new messages count.
  IF v_granted THEN
    SELECT g.taken, g."retryAfterMs" INTO v_taken, v_wait
    FROM take_grant_message(p_workspace, p_agent, v_user, v_api_key, p_run) g;
    IF v_taken IS NOT TRUE THEN
      IF v_is_new THEN DELETE FROM tasks t WHERE t.id = v_task; END IF;
      RETURN QUERY SELECT CASE WHEN v_taken IS NULL THEN 'absent' ELSE 'capped' END, NULL::uuid, 0, NULL::text, v_wait;
      RETURN;
    END IF;
  END IF;

  DELETE FROM task_messages m WHERE m.task_id = v_task AND m.position >= v_from;
  -- Its question is answered, or will not be answered any longer.
  UPDATE task_runs r SET status = 'COMPLETED', revision = r.revision + 1
  WHERE r.id = v_last.id AND r.status = 'NEEDS_APPROVAL';
  IF v_kind <> 'approval' AND v_last.status = 'NEEDS_APPROVAL' THEN
    PERFORM deny_unanswered(v_task, v_last.message_id, 'Nobody answered before the conversation went on');
  END IF;
  INSERT INTO task_runs (id, workspace_id, task_id, number, status, message_id, approvals, first_sequence, sequence, request_id,
    trace, started_at, steps, parent_run_id, parent_execution_id, step, starters)
  VALUES (p_run, p_workspace, v_task, v_number, CASE WHEN v_open.id IS NULL THEN 'RUNNING' ELSE 'QUEUED' END, v_message_id,
    p_turn->'answers', CASE WHEN v_kind = 'approval' THEN v_last.sequence ELSE 0 END,
    CASE WHEN v_kind = 'approval' THEN v_last.sequence ELSE 0 END, p_turn->>'requestId',
    p_turn->>'trace', CASE WHEN v_open.id IS NULL THEN now() END, '[]',
    -- A turn that continues a message is awaited by those who await the turn before it.
    CASE WHEN v_kind = 'approval' THEN v_last.parent_run_id ELSE (p_turn->>'parentRunId')::uuid END,
    CASE WHEN v_kind = 'approval' THEN v_last.parent_execution_id ELSE (p_turn->>'parentExecutionId')::uuid END,
    CASE WHEN v_kind = 'approval' THEN v_last.step ELSE COALESCE(p_turn->'step',
      (SELECT r.step FROM task_runs r WHERE r.id = (p_turn->>'parentRunId')::uuid AND r.workspace_id = p_workspace)) END,
    ARRAY(
      SELECT DISTINCT person FROM unnest(
        CASE WHEN v_user IS NOT NULL THEN ARRAY[person_of('user', v_user)]
          WHEN v_api_key IS NOT NULL THEN ARRAY[person_of('apiKey', v_api_key)] END
        || CASE WHEN v_kind <> 'message' THEN v_last.starters END
        || (SELECT r.starters FROM task_runs r WHERE r.id = (p_turn->>'parentRunId')::uuid AND r.workspace_id = p_workspace)
        || (SELECT e.starters FROM executions e
          WHERE e.id = (p_turn->>'parentExecutionId')::uuid AND e.workspace_id = p_workspace)) AS person
      WHERE person IS NOT NULL));
  IF v_kind = 'message' THEN
    INSERT INTO task_messages (task_id, id, position, role, parts, metadata, run_id)
    VALUES (v_task, p_turn->'message'->>'id', v_number::bigint * 2, 'user', p_turn->'message'->'parts',
      p_turn->'message'->'metadata', p_run);
  END IF;
  UPDATE tasks t SET updated_at = now(), last_activity_at = now() WHERE t.id = v_task;
  RETURN QUERY SELECT 'accepted', r.id, r.revision, r.status, NULL::bigint FROM task_runs r WHERE r.id = p_run;
END $$;

-- Claims the next attempt, which fences all older ones, and reads the inputs in one statement: a person waits. No row
-- if the turn has ended. `messages`: the turn's own last. `chunks`: without this step. `calls`: of this step, and of
-- step 0, which are the approved ones.
CREATE FUNCTION open_attempt(p_workspace uuid, p_run uuid, p_step integer)
RETURNS TABLE ("stopRequested" boolean, attempt integer, sequence integer, steps jsonb, "calledTokens" float8, "taskId" uuid, "messageId" text,
  trace text, "contextTokens" integer, approvals jsonb, agent jsonb, messages jsonb, chunks jsonb, calls jsonb, connection jsonb, credentials bytea)
LANGUAGE plpgsql AS $$
DECLARE
  v_run task_runs;
  v_limit bigint;
  v_connection uuid;
BEGIN
  UPDATE task_runs r SET attempt = r.attempt + 1, begun_at = COALESCE(r.begun_at, now()), retry_at = NULL
  WHERE r.id = p_run AND r.workspace_id = p_workspace AND r.status = 'RUNNING'
  RETURNING r.* INTO v_run;
  IF NOT FOUND THEN RETURN; END IF;
  "stopRequested" := v_run.stop_requested_at IS NOT NULL;
  attempt := v_run.attempt;
  sequence := v_run.sequence;
  steps := v_run.steps;
  SELECT COALESCE(sum(tokens_in(o.usage, 'totalTokens')), 0)::float8 INTO "calledTokens"
  FROM task_runs o WHERE o.parent_run_id = p_run;
  "taskId" := v_run.task_id;
  "messageId" := v_run.message_id;
  trace := v_run.trace;
  "contextTokens" := v_run.context_tokens;
  approvals := v_run.approvals;
  SELECT jsonb_build_object('id', a.id, 'name', a.name, 'projectId', a.project_id, 'definition', a.definition,
      'selfInstructions', a.self_instructions),
    -- One more: the question that the oldest of them answers.
    (a.definition->>'messageLookbackLimit')::bigint + 1, (a.definition->>'aiConnectionId')::uuid
  INTO agent, v_limit, v_connection
  FROM tasks t JOIN agents a ON a.id = t.agent_id WHERE t.id = v_run.task_id;
  SELECT COALESCE(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', m.id, 'role', m.role, 'metadata', m.metadata))
    || jsonb_build_object('parts', m.parts) ORDER BY m.position), '[]')
  INTO messages FROM (
    (SELECT n.* FROM task_messages n
      WHERE n.task_id = v_run.task_id AND n.position <= v_run.number::bigint * 2 + 1 AND n.id <> v_run.message_id
      ORDER BY n.position DESC LIMIT v_limit)
    UNION ALL
    SELECT o.* FROM task_messages o WHERE o.task_id = v_run.task_id AND o.id = v_run.message_id
  ) m;
  SELECT COALESCE(jsonb_agg(c.payload ORDER BY c.sequence), '[]') INTO chunks
  FROM run_chunks c WHERE c.run_id = p_run AND c.step <> p_step;
  SELECT COALESCE(jsonb_agg(jsonb_build_object('toolCallId', c.tool_call_id, 'kind', c.kind, 'name', c.name,
    'status', c.status, 'step', c.step) ORDER BY c.step, c.position), '[]') INTO calls
  FROM run_tool_calls c WHERE c.run_id = p_run AND c.step IN (0, p_step);
  SELECT jsonb_build_object('workflowAppId', c.workflow_app_id, 'type', c.connection_type, 'keyId', c.key_id), c.credentials
  INTO connection, credentials
  FROM connections c WHERE c.id = v_connection AND c.workspace_id = p_workspace;
  RETURN NEXT;
END $$;

-- Stores a turn's message (NULL: none) and last chunks, and starts the next turn of the task (writeTurnEnd.ts). p_end:
-- {status, finishReason?, code?, error?, usage, message?, closers}. No row if it has ended, or if a stop was requested
-- and it would wait for an approval.
CREATE FUNCTION end_turn(p_workspace uuid, p_run uuid, p_end jsonb)
RETURNS TABLE (revision integer, status text, "nextRunId" uuid, "wantsName" boolean) LANGUAGE plpgsql AS $$
DECLARE
  v_task uuid;
  v_run task_runs;
  v_next uuid;
  v_wants_name boolean;
BEGIN
  SELECT r.task_id INTO v_task FROM task_runs r WHERE r.id = p_run AND r.workspace_id = p_workspace;
  PERFORM FROM tasks t WHERE t.id = v_task FOR NO KEY UPDATE;
  UPDATE task_runs r SET status = p_end->>'status', finish_reason = p_end->>'finishReason', code = p_end->>'code',
    -- The error recorded by the latest model call has more details.
    error = CASE WHEN r.error->>'code' = p_end->>'code' THEN r.error ELSE p_end->'error' END, retry_at = NULL,
    usage = p_end->'usage', finished_at = now(), revision = r.revision + 1,
    sequence = r.sequence + CASE WHEN jsonb_array_length(p_end->'closers') > 0 THEN 1 ELSE 0 END
  WHERE r.id = p_run AND r.status IN ('RUNNING', 'QUEUED')
    AND NOT (p_end->>'status' = 'NEEDS_APPROVAL' AND r.stop_requested_at IS NOT NULL)
  RETURNING * INTO v_run;
  IF NOT FOUND THEN RETURN; END IF;
  IF jsonb_array_length(p_end->'closers') > 0 THEN
    INSERT INTO run_chunks (run_id, sequence, step, attempt, payload)
    VALUES (p_run, v_run.sequence, 2147483647, v_run.attempt, p_end->'closers');
  END IF;
  IF p_end->'message' IS NOT NULL AND jsonb_typeof(p_end->'message') = 'object' THEN
    INSERT INTO task_messages AS m (task_id, id, position, role, parts, metadata, run_id)
    VALUES (v_task, v_run.message_id, v_run.number::bigint * 2 + 1, 'assistant', p_end->'message'->'parts',
      p_end->'message'->'metadata', p_run)
    ON CONFLICT (task_id, id) DO UPDATE SET parts = excluded.parts, metadata = excluded.metadata, run_id = excluded.run_id;
  END IF;
  UPDATE run_tool_calls c SET status = 'STOPPED', finished_at = now() WHERE c.run_id = p_run AND c.status = 'PENDING';
  UPDATE task_runs r SET status = 'RUNNING', started_at = now(), reconciled_at = now(), revision = r.revision + 1
  WHERE r.id = (SELECT q.id FROM task_runs q WHERE q.task_id = v_task AND q.status = 'QUEUED' ORDER BY q.number LIMIT 1)
  RETURNING r.id INTO v_next;
  -- The conversation continued without an answer.
  IF v_next IS NOT NULL AND v_run.status = 'NEEDS_APPROVAL' THEN
    UPDATE task_runs r SET status = 'COMPLETED' WHERE r.id = p_run;
    PERFORM deny_unanswered(v_task, v_run.message_id, 'Nobody answered before the conversation went on');
  END IF;
  UPDATE tasks t SET updated_at = now(), last_activity_at = now() FROM agents a WHERE t.id = v_task AND a.id = t.agent_id
  RETURNING v_run.status = 'COMPLETED' AND t.name IS NULL AND t.naming_usage IS NULL
    AND a.definition->>'taskNamingInstructions' IS NOT NULL
    -- The caller waits for the workflow's end.
    AND v_run.parent_run_id IS NULL AND v_run.parent_execution_id IS NULL INTO v_wants_name;
  RETURN QUERY SELECT v_run.revision, v_run.status, v_next, v_wants_name;
END $$;

-- A turn that has not begun ends at once, as does one that waits on behalf of a step. No row: nothing to stop.
CREATE FUNCTION stop_turn(p_workspace uuid, p_run uuid)
RETURNS TABLE (revision integer, status text, "wasQueued" boolean) LANGUAGE plpgsql AS $$
DECLARE
  v_run task_runs;
BEGIN
  PERFORM FROM tasks t WHERE t.workspace_id = p_workspace
    AND t.id = (SELECT o.task_id FROM task_runs o WHERE o.id = p_run) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT r.* INTO v_run FROM task_runs r WHERE r.id = p_run;
  IF v_run.status NOT IN ('RUNNING', 'QUEUED') AND NOT (v_run.status = 'NEEDS_APPROVAL' AND v_run.step IS NOT NULL) THEN
    RETURN;
  END IF;
  IF v_run.status = 'NEEDS_APPROVAL' THEN
    PERFORM deny_unanswered(v_run.task_id, v_run.message_id, 'The turn was stopped before anybody answered');
  END IF;
  RETURN QUERY UPDATE task_runs u SET stop_requested_at = COALESCE(u.stop_requested_at, now()), revision = u.revision + 1,
      status = CASE WHEN u.status = 'RUNNING' THEN u.status ELSE 'STOPPED' END,
      finished_at = CASE WHEN u.status = 'QUEUED' THEN now() ELSE u.finished_at END
    WHERE u.id = p_run RETURNING u.revision, u.status, v_run.status = 'QUEUED';
END $$;

-- While a turn asks on behalf of a step. Then the row is due (engine/executions/stepWakes.ts).
CREATE FUNCTION tend_approval_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status = 'NEEDS_APPROVAL' THEN
    INSERT INTO step_waits (execution_id, node_id, iteration, kind, awaited, workspace_id, host, signalled_at)
    SELECT e.id, NEW.step->>'nodeId', NEW.step->>'iteration', 'approval', NEW.id, e.workspace_id, NEW.step->>'host', 'infinity'
    FROM executions e WHERE e.id = (NEW.step->>'executionId')::uuid AND e.workspace_id = NEW.workspace_id
    ON CONFLICT DO NOTHING;
  ELSE
    UPDATE step_waits w SET signalled_at = '-infinity' WHERE w.awaited = OLD.id AND w.kind = 'approval';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER task_runs_tend_approval_waits AFTER UPDATE OF status ON task_runs FOR EACH ROW
WHEN (NEW.step IS NOT NULL AND (NEW.status = 'NEEDS_APPROVAL') <> (OLD.status = 'NEEDS_APPROVAL'))
EXECUTE FUNCTION tend_approval_waits();
CREATE TRIGGER deleted_task_runs_tend_approval_waits AFTER DELETE ON task_runs FOR EACH ROW
WHEN (OLD.step IS NOT NULL AND OLD.status = 'NEEDS_APPROVAL') EXECUTE FUNCTION tend_approval_waits();

-- 22-knowledge.sql
-- Knowledge.

-- Without pgvector everything except knowledge bases works. The role or the server may lack the extension.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS vector;
EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
  RAISE NOTICE 'pgvector is not there: knowledge bases cannot be made. Create the extension vector, and they can.';
END $$;

-- A table of vectors for each base: searches never read other bases, and deleting a base leaves nothing.
CREATE SCHEMA knowledge;

CREATE TABLE knowledge_bases (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  slug text,
  description text,
  embedding_provider text NOT NULL CHECK (embedding_provider IN ('openai', 'local')),
  embedding_model text NOT NULL,
  dimensions integer NOT NULL CHECK (dimensions BETWEEN 1 AND 4000),
  -- Tokens.
  chunk_size integer NOT NULL,
  chunk_overlap integer NOT NULL,
  -- Stored and ingesting documents, kept by a trigger, so that a model change and an upload are decided by one row.
  document_count integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  applied_project_id uuid,
  applied_owner text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT knowledge_bases_chunk_overlap_check CHECK (chunk_overlap >= 0 AND chunk_overlap * 2 <= chunk_size)
);
CREATE INDEX knowledge_bases_workspace_id_updated_at_id_idx ON knowledge_bases (workspace_id, updated_at DESC, id DESC);
CREATE UNIQUE INDEX knowledge_bases_workspace_id_slug_key ON knowledge_bases (workspace_id, slug);
CREATE TRIGGER knowledge_bases_give_slug BEFORE INSERT ON knowledge_bases
FOR EACH ROW EXECUTE FUNCTION give_slug('workspace_id', 'true', 'knowledge');

-- One upload, visible when READY; its text is kept until then. A FAILED document keeps only the reason.
CREATE TABLE knowledge_documents (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  knowledge_id uuid NOT NULL REFERENCES knowledge_bases ON DELETE CASCADE,
  name text,
  metadata jsonb NOT NULL,
  status text NOT NULL DEFAULT 'INGESTING' CHECK (status IN ('INGESTING', 'READY', 'FAILED')),
  text text CHECK (status <> 'INGESTING' OR text IS NOT NULL),
  -- The base's settings at the time of the upload.
  chunk_size integer NOT NULL,
  chunk_overlap integer NOT NULL,
  parts integer,
  tokens integer,
  failure_code text,
  failure text,
  -- When the reconciler last checked its ingestion.
  tended_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX knowledge_documents_knowledge_id_created_at_id_idx
  ON knowledge_documents (knowledge_id, created_at DESC, id DESC);
CREATE INDEX knowledge_documents_ingesting_idx ON knowledge_documents (knowledge_id) WHERE status = 'INGESTING';
CREATE INDEX knowledge_documents_tended_idx ON knowledge_documents (workspace_bucket(workspace_id), tended_at) WHERE status <> 'READY';
CREATE INDEX knowledge_documents_metadata_idx ON knowledge_documents USING gin (metadata jsonb_path_ops);

-- The parts of documents, numbered from 1.
CREATE TABLE knowledge_chunks (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  knowledge_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES knowledge_documents ON DELETE CASCADE,
  part_number integer NOT NULL,
  text text NOT NULL,
  tokens integer NOT NULL,
  -- Its words, written with its vector, because extracting them takes longer than storing all the rest.
  search tsvector
);
CREATE UNIQUE INDEX knowledge_chunks_document_id_part_number_key ON knowledge_chunks (document_id, part_number);
-- The base comes first, so that words that are frequent in other bases cost nothing; without btree_gin they do.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  CREATE INDEX knowledge_chunks_search_idx ON knowledge_chunks USING gin (knowledge_id, search);
EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
  RAISE NOTICE 'btree_gin is not there: searches of knowledge share one index. Create the extension, then the index knowledge_chunks_search_idx as the migration does.';
  CREATE INDEX knowledge_chunks_search_idx ON knowledge_chunks USING gin (search);
END $$;

CREATE FUNCTION knowledge_vectors(p_knowledge uuid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'vectors_' || replace(p_knowledge::text, '-', '')
$$;

-- HNSW: up to 2,000 dimensions of four bytes, 4,000 of two. No foreign keys: dropped when a workspace is deleted.
CREATE FUNCTION tend_knowledge_vectors() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  v_name text := knowledge_vectors(coalesce(NEW.id, OLD.id));
  v_type text;
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS knowledge.%I', v_name);
  IF TG_OP = 'DELETE' THEN RETURN NULL; END IF;
  v_type := CASE WHEN NEW.dimensions > 2000 THEN 'halfvec' ELSE 'vector' END;
  EXECUTE format(
    'CREATE TABLE knowledge.%I (chunk_id uuid PRIMARY KEY, document_id uuid NOT NULL, embedding %s(%s) NOT NULL)',
    v_name, v_type, NEW.dimensions);
  EXECUTE format('CREATE INDEX ON knowledge.%I (document_id)', v_name);
  -- m = 8 instead of 16 saves half of the linking. The wider search (ef_construction) keeps the recall.
  EXECUTE format('CREATE INDEX ON knowledge.%I USING hnsw (embedding %s_cosine_ops) WITH (m = 8, ef_construction = 128)',
    v_name, v_type);
  RETURN NULL;
END $$;
CREATE TRIGGER knowledge_bases_make_vectors AFTER INSERT OR DELETE ON knowledge_bases
  FOR EACH ROW EXECUTE FUNCTION tend_knowledge_vectors();
CREATE TRIGGER knowledge_bases_remake_vectors AFTER UPDATE ON knowledge_bases
  FOR EACH ROW WHEN (OLD.dimensions <> NEW.dimensions) EXECUTE FUNCTION tend_knowledge_vectors();

-- Counts the documents of the base, and deletes the vectors and parts of a deleted or failed document.
CREATE FUNCTION knowledge_document_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid := coalesce(NEW.id, OLD.id);
  v_knowledge uuid := coalesce(NEW.knowledge_id, OLD.knowledge_id);
  v_name text := knowledge_vectors(v_knowledge);
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE knowledge_bases SET document_count = document_count + 1 WHERE id = v_knowledge;
    RETURN NULL;
  END IF;
  IF OLD.status <> 'FAILED' THEN
    UPDATE knowledge_bases SET document_count = document_count - 1 WHERE id = v_knowledge;
  END IF;
  DELETE FROM knowledge_chunks WHERE document_id = v_id;
  -- If the base is deleted too, the table may be gone.
  IF to_regclass(format('knowledge.%I', v_name)) IS NOT NULL THEN
    EXECUTE format('DELETE FROM knowledge.%I WHERE document_id = $1', v_name) USING v_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER knowledge_documents_counted AFTER INSERT OR DELETE ON knowledge_documents
  FOR EACH ROW EXECUTE FUNCTION knowledge_document_changed();
CREATE TRIGGER knowledge_documents_failed AFTER UPDATE ON knowledge_documents
  FOR EACH ROW WHEN (OLD.status <> 'FAILED' AND NEW.status = 'FAILED') EXECUTE FUNCTION knowledge_document_changed();

-- False if the document is no longer ingesting. Locks it first, so that a deletion waits and finds all vectors.
CREATE FUNCTION store_knowledge_vectors(
  p_workspace uuid, p_knowledge uuid, p_document uuid, p_chunks uuid[], p_embeddings text[]
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM knowledge_documents
    WHERE id = p_document AND knowledge_id = p_knowledge AND workspace_id = p_workspace AND status = 'INGESTING' FOR SHARE;
  IF NOT FOUND THEN RETURN false; END IF;
  EXECUTE format(
    'WITH stored AS (
       INSERT INTO knowledge.%I (chunk_id, document_id, embedding)
       SELECT r.chunk, $1, r.embedding::vector FROM unnest($2, $3) AS r(chunk, embedding)
       ON CONFLICT (chunk_id) DO NOTHING RETURNING chunk_id)
     UPDATE knowledge_chunks c SET search = to_tsvector(''english'', c.text) FROM stored
     WHERE c.id = stored.chunk_id AND c.workspace_id = $4',
    knowledge_vectors(p_knowledge)) USING p_document, p_chunks, p_embeddings, p_workspace;
  RETURN true;
END $$;

-- Returns the parts from `p_from` to before `p_to` that have no vector.
CREATE FUNCTION unembedded_knowledge_chunks(
  p_workspace uuid, p_knowledge uuid, p_document uuid, p_from integer, p_to integer
) RETURNS TABLE (id uuid, text text, tokens integer) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT c.id, c.text, c.tokens FROM knowledge_chunks c
     WHERE c.workspace_id = $1 AND c.document_id = $2 AND c.part_number >= $3 AND c.part_number < $4
       AND NOT EXISTS (SELECT FROM knowledge.%I v WHERE v.chunk_id = c.id)
     ORDER BY c.part_number', knowledge_vectors(p_knowledge)) USING p_workspace, p_document, p_from, p_to;
END $$;

-- Makes the document visible if each part has a vector; returns false otherwise, or if the document is gone.
CREATE FUNCTION finish_knowledge_document(p_workspace uuid, p_knowledge uuid, p_document uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_parts integer;
  v_tokens integer;
  v_vectors integer;
BEGIN
  -- Documents are locked before vectors everywhere, as in the deletion of a base.
  PERFORM FROM knowledge_documents
    WHERE id = p_document AND knowledge_id = p_knowledge AND workspace_id = p_workspace AND status = 'INGESTING'
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT count(*), sum(tokens) INTO v_parts, v_tokens FROM knowledge_chunks
    WHERE workspace_id = p_workspace AND document_id = p_document;
  IF v_parts = 0 THEN RETURN false; END IF;
  EXECUTE format('SELECT count(*) FROM knowledge.%I WHERE document_id = $1', knowledge_vectors(p_knowledge))
    INTO v_vectors USING p_document;
  IF v_vectors <> v_parts THEN RETURN false; END IF;
  UPDATE knowledge_documents SET status = 'READY', text = NULL, parts = v_parts, tokens = v_tokens
    WHERE id = p_document AND workspace_id = p_workspace;
  RETURN true;
END $$;

-- Keeps the base's table of vectors until the transaction ends; returns false if it is gone.
CREATE FUNCTION hold_knowledge_vectors(p_knowledge uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('LOCK TABLE knowledge.%I IN ACCESS SHARE MODE', knowledge_vectors(p_knowledge));
  RETURN true;
EXCEPTION WHEN undefined_table THEN RETURN false;
END $$;

-- By cosine distance; none if the base is gone or has other dimensions. If a filter leaves few parts, they are scanned;
-- otherwise the index is read until enough match. ROWS 10: a join then reads the texts by key, with the default of
-- 1,000 all of them. No variable has the type vector, so that the function works without the extension.
CREATE FUNCTION nearest_knowledge_chunks(
  p_workspace uuid, p_knowledge uuid, p_embedding text, p_limit integer, p_filter jsonb
) RETURNS TABLE (chunk_id uuid, distance double precision) LANGUAGE plpgsql ROWS 10 AS $$
DECLARE
  v_type text;
  v_from text := format('knowledge.%I v', knowledge_vectors(p_knowledge));
  v_where text := '';
  v_documents uuid[];
  v_parts bigint;
BEGIN
  IF NOT hold_knowledge_vectors(p_knowledge) THEN RETURN; END IF;
  SELECT CASE WHEN dimensions > 2000 THEN 'halfvec' ELSE 'vector' END INTO v_type FROM knowledge_bases
    WHERE id = p_knowledge AND workspace_id = p_workspace AND dimensions = vector_dims(p_embedding::vector);
  IF NOT FOUND THEN RETURN; END IF;
  IF p_filter <> '{}' THEN
    SELECT array_agg(d.id), sum(d.parts) INTO v_documents, v_parts FROM (
      SELECT id, parts FROM knowledge_documents
      WHERE workspace_id = p_workspace AND knowledge_id = p_knowledge AND status = 'READY' AND metadata @> p_filter
      LIMIT 2001) d;
    IF v_documents IS NULL THEN RETURN; END IF;
    IF v_parts <= 2000 THEN
      RETURN QUERY EXECUTE format(
        'SELECT v.chunk_id, (v.embedding <=> $1::%s)::float8 FROM %s WHERE v.document_id = ANY($2) ORDER BY 2 LIMIT $3',
        v_type, v_from) USING p_embedding, v_documents, p_limit;
      RETURN;
    END IF;
    v_where := 'AND d.metadata @> $3';
  END IF;
  IF v_where <> ''
    OR EXISTS (SELECT FROM knowledge_documents WHERE knowledge_id = p_knowledge AND status = 'INGESTING') THEN
    v_where := format(
      'WHERE EXISTS (SELECT FROM knowledge_documents d WHERE d.id = v.document_id AND d.status = ''READY'' %s OFFSET 0)',
      v_where);
  END IF;
  PERFORM set_config('hnsw.ef_search', least(greatest(100, p_limit), 1000)::text, true),
    set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.max_scan_tuples', '2147483647', true),
    set_config('hnsw.scan_mem_multiplier', '64', true);
  RETURN QUERY EXECUTE format(
    'WITH near AS MATERIALIZED (
       SELECT v.chunk_id, (v.embedding <=> $1::%s)::float8 AS distance FROM %s %s ORDER BY v.embedding <=> $1::%1$s LIMIT $2)
     SELECT chunk_id, near.distance FROM near ORDER BY near.distance', v_type, v_from, v_where)
    USING p_embedding, p_limit, p_filter;
END $$;

-- Uploads change only the count, and are no change of the base.
CREATE TRIGGER knowledge_bases_count_revision BEFORE UPDATE ON knowledge_bases
FOR EACH ROW WHEN (NEW.document_count = OLD.document_count) EXECUTE FUNCTION count_revision();

-- 23-deletions.sql
-- Deletions.

-- A used resource cannot be deleted (prisma/store/deleteResource.ts).

-- The users of the resources (`workflow/<id>`): definitions that name one by id or slug; a type's entities and a base's
-- documents (a count); a project's contents; an app's connections. Only a workflow's latest version counts; a slug means the own project's
-- first. `p_instead`: definitions that replace the stored ones, {type, id, name, projectId, named}.
CREATE FUNCTION users_of(p_workspace uuid, p_gone text[], p_instead jsonb DEFAULT '[]')
RETURNS TABLE (used text, type text, id uuid, name text, count bigint) STABLE LANGUAGE plpgsql AS $$
DECLARE
  v_ids uuid[] := ARRAY(SELECT split_part(g, '/', 2)::uuid FROM unnest(p_gone) g);
  v_slugs text[] := ARRAY(
    SELECT 'workflow@' || w.slug FROM workflows w WHERE w.id = ANY (v_ids) AND 'workflow/' || w.id = ANY (p_gone)
    UNION ALL SELECT 'agent@' || a.slug FROM agents a WHERE a.id = ANY (v_ids) AND 'agent/' || a.id = ANY (p_gone)
    UNION ALL SELECT 'objectType@' || t.slug FROM object_types t
      WHERE t.id = ANY (v_ids) AND 'objectType/' || t.id = ANY (p_gone)
    UNION ALL SELECT 'app@' || t.slug FROM apps t
      WHERE t.workspace_id = p_workspace AND t.id = ANY (v_ids) AND 'app/' || t.id = ANY (p_gone));
  v_types text[] := ARRAY(SELECT substr(n, 12) FROM unnest(v_slugs) n WHERE n LIKE 'objectType@%');
  v_names text[] := p_gone || v_slugs;
BEGIN
  RETURN QUERY
    WITH instead AS MATERIALIZED (
      SELECT r.* FROM jsonb_to_recordset(p_instead)
        AS r(type text, id uuid, name text, "projectId" uuid, named text[])
    ), named AS (
      SELECT u.*, n.name AS by FROM (
        SELECT 'workflow' AS type, w.id, w.name, w.project_id, v.named
        FROM workflow_versions v JOIN workflows w ON w.version_id = v.id
        WHERE v.workspace_id = p_workspace AND v.named && v_names
        UNION ALL
        SELECT 'workflow', w.id, w.name, w.project_id, ARRAY['workflow/' || w.on_failure_workflow_id]
        FROM workflows w WHERE w.on_failure_workflow_id = ANY (v_ids)
        UNION ALL
        SELECT 'project', p.id, p.name, p.id, ARRAY['workflow/' || p.on_failure_workflow_id]
        FROM projects p WHERE p.on_failure_workflow_id = ANY (v_ids)
        UNION ALL
        SELECT 'agent', a.id, a.name, a.project_id, a.named FROM agents a
        WHERE a.workspace_id = p_workspace AND a.named && v_names
        UNION ALL
        SELECT 'objectType', t.id, t.name, NULL, ARRAY(SELECT 'objectType@' || (slug #>> '{}')
          FROM jsonb_path_query(t.attribute_schema::jsonb, '$.**."x-objectType"') slug)
        FROM object_types t WHERE cardinality(v_types) > 0 AND t.workspace_id = p_workspace
          AND t.attribute_schema::text LIKE '%"x-objectType"%'
      ) u, unnest(u.named) AS n(name)
      WHERE n.name = ANY (v_names) AND NOT EXISTS (SELECT FROM instead i WHERE i.type = u.type AND i.id = u.id)
      UNION ALL
      SELECT i.type, i.id, i.name, i."projectId", i.named, n.name FROM instead i, unnest(i.named) AS n(name)
      WHERE n.name = ANY (v_names)
    ), meant AS (
      SELECT u.type, u.id, u.name, CASE
        WHEN u.by NOT LIKE '%@%' THEN u.by
        WHEN u.by LIKE 'workflow@%' THEN 'workflow/' || (SELECT w.id FROM workflows w
          WHERE w.workspace_id = p_workspace AND w.slug = substr(u.by, 10)
          ORDER BY w.project_id IS DISTINCT FROM u.project_id, w.created_at, w.id LIMIT 1)
        WHEN u.by LIKE 'agent@%' THEN 'agent/' || (SELECT a.id FROM agents a
          WHERE a.workspace_id = p_workspace AND a.slug = substr(u.by, 7)
          ORDER BY a.project_id IS DISTINCT FROM u.project_id, a.created_at, a.id LIMIT 1)
        WHEN u.by LIKE 'app@%' THEN 'app/' || (SELECT t.id FROM apps t
          WHERE t.workspace_id = p_workspace AND t.slug = substr(u.by, 5))
        ELSE 'objectType/' || (SELECT t.id FROM object_types t
          WHERE t.workspace_id = p_workspace AND t.slug = substr(u.by, 12)) END AS key
      FROM named u WHERE NOT u.type || '/' || u.id = ANY (p_gone)
    )
    SELECT d.key, d.type, d.id, d.name, NULL::bigint
    FROM (SELECT DISTINCT m.key, m.type, m.id, m.name FROM meant m WHERE m.key = ANY (p_gone)) d
    ORDER BY d.key, array_position(ARRAY['agent', 'workflow'], d.type), d.name, d.id;
  RETURN QUERY SELECT 'objectType/' || o.object_type_id, 'object', NULL::uuid, NULL::text, count(*) FROM objects o
    WHERE o.workspace_id = p_workspace AND o.object_type_id = ANY (v_ids) AND o.deleted_at IS NULL
      AND 'objectType/' || o.object_type_id = ANY (p_gone)
    GROUP BY o.object_type_id ORDER BY o.object_type_id;
  RETURN QUERY SELECT 'app/' || t.id, 'connection', c.id, c.name, NULL::bigint
    FROM apps t JOIN connections c ON c.workspace_id = t.workspace_id AND c.workflow_app_id = t.slug
    WHERE t.workspace_id = p_workspace AND t.id = ANY (v_ids) AND 'app/' || t.id = ANY (p_gone)
    ORDER BY t.id, c.name, c.id;
  RETURN QUERY SELECT 'knowledge/' || k.id, 'document', NULL::uuid, NULL::text, k.document_count::bigint
    FROM knowledge_bases k WHERE k.workspace_id = p_workspace AND k.id = ANY (v_ids) AND k.document_count > 0
    ORDER BY k.id;
  RETURN QUERY SELECT 'project/' || h.project_id, h.type, h.id, h.name, NULL::bigint FROM (
      SELECT 'workflow' AS type, w.id, w.name, w.project_id FROM workflows w WHERE w.project_id = ANY (v_ids)
      UNION ALL SELECT 'agent', a.id, a.name, a.project_id FROM agents a WHERE a.project_id = ANY (v_ids)
      UNION ALL SELECT 'queue', q.id, q.name, q.project_id FROM queues q
        WHERE q.project_id = ANY (v_ids) AND q.deleted_at IS NULL
    ) h WHERE 'project/' || h.project_id = ANY (p_gone) ORDER BY h.project_id, h.type DESC, h.name, h.id;
END $$;

CREATE FUNCTION table_of_kind(p_kind text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE p_kind WHEN 'workflow' THEN 'workflows' WHEN 'agent' THEN 'agents' WHEN 'connection' THEN 'connections'
    WHEN 'objectType' THEN 'object_types' WHEN 'project' THEN 'projects' WHEN 'queue' THEN 'queues'
    WHEN 'knowledge' THEN 'knowledge_bases' WHEN 'variable' THEN 'variables' WHEN 'app' THEN 'apps' END
$$;

-- Locks, then looks: a definition about to name one holds its row, so it is seen here or finds the resource gone.
CREATE FUNCTION are_used(p_workspace uuid, p_gone text[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_kind text;
  v_ids uuid[];
BEGIN
  FOREACH v_kind IN ARRAY ARRAY['workflow', 'agent', 'connection', 'objectType', 'project', 'queue', 'knowledge', 'variable', 'app']
  LOOP
    SELECT array_agg(split_part(g, '/', 2)::uuid) INTO v_ids FROM unnest(p_gone) g WHERE g LIKE v_kind || '/%';
    CONTINUE WHEN v_ids IS NULL;
    EXECUTE format('SELECT FROM %I t WHERE t.id = ANY ($1) AND t.workspace_id = $2 ORDER BY t.id FOR UPDATE',
      table_of_kind(v_kind)) USING v_ids, p_workspace;
  END LOOP;
  RETURN EXISTS (SELECT FROM users_of(p_workspace, p_gone));
END $$;

-- Locks what a definition names by id, and its apps. Connections and apps must exist, and everything an agent names; others
-- may be created later. Deferrable, for definitions that name each other.
CREATE FUNCTION hold_named() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_kind text;
  v_ids uuid[];
  v_slugs text[];
  v_found integer;
BEGIN
  FOREACH v_kind IN ARRAY ARRAY['workflow', 'agent', 'connection', 'objectType'] LOOP
    SELECT array_agg(split_part(n, '/', 2)::uuid) INTO v_ids FROM unnest(NEW.named) n WHERE n LIKE v_kind || '/%';
    CONTINUE WHEN v_ids IS NULL;
    EXECUTE format('SELECT count(*) FROM (SELECT FROM %I t WHERE t.id = ANY ($1) AND t.workspace_id = $2
      ORDER BY t.id FOR KEY SHARE) held', table_of_kind(v_kind)) INTO v_found USING v_ids, NEW.workspace_id;
    IF v_found < cardinality(v_ids) AND (v_kind = 'connection' OR TG_TABLE_NAME = 'agents') THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'definition_names',
        MESSAGE = 'a definition violates the constraint "definition_names": it names a ' || v_kind || ' that is gone';
    END IF;
  END LOOP;
  SELECT array_agg(substr(n, 5)) INTO v_slugs FROM unnest(NEW.named) n WHERE n LIKE 'app@%';
  IF v_slugs IS NOT NULL THEN
    SELECT count(*) INTO v_found FROM (SELECT FROM apps t WHERE t.workspace_id = NEW.workspace_id
      AND t.slug = ANY (v_slugs) ORDER BY t.id FOR KEY SHARE) held;
    IF v_found < cardinality(v_slugs) THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'definition_names',
        MESSAGE = 'a definition violates the constraint "definition_names": it names an app that is gone';
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER workflow_versions_hold_named AFTER INSERT ON workflow_versions DEFERRABLE
FOR EACH ROW WHEN (NEW.named <> '{}') EXECUTE FUNCTION hold_named();
CREATE CONSTRAINT TRIGGER agents_hold_named AFTER INSERT OR UPDATE OF named ON agents DEFERRABLE
FOR EACH ROW WHEN (NEW.named <> '{}') EXECUTE FUNCTION hold_named();

-- 24-events.sql
-- Events to subscribers.

-- An outbox: deliveries are written with the change. A workspace without subscriptions pays one index lookup.

CREATE TABLE event_subscriptions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  url text NOT NULL,
  events text[] NOT NULL,
  -- Required properties of the event, by filter key; {}: any event.
  filter_by jsonb NOT NULL DEFAULT '{}',
  secret bytea NOT NULL,
  key_id text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- GONE, if it was disabled automatically.
  disabled_reason text,
  -- The one process that delivers its events, and until when (engine/events/eventDeliverer.ts).
  held_by uuid,
  held_until timestamptz(3),
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX event_subscriptions_workspace_id_created_at_id_idx
  ON event_subscriptions (workspace_id, created_at DESC, id DESC);
-- Read by every change; most workspaces have none.
CREATE INDEX event_subscriptions_active_idx ON event_subscriptions (workspace_id) WHERE is_active;

-- `id` is the same in retries and replays. `ordinal` orders the events of a subject, whose row the writers hold.
CREATE TABLE event_deliveries (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  subscription_id uuid NOT NULL REFERENCES event_subscriptions ON DELETE CASCADE,
  ordinal bigserial NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  data jsonb NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  status_code integer,
  error text,
  -- Retries end some days after it.
  due_since timestamptz(3) NOT NULL DEFAULT now(),
  next_attempt_at timestamptz(3) DEFAULT now(),
  taken_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX event_deliveries_subscription_id_created_at_id_idx
  ON event_deliveries (subscription_id, created_at DESC, id DESC);
CREATE INDEX event_deliveries_due_idx ON event_deliveries (subscription_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX event_deliveries_subject_idx ON event_deliveries (subscription_id, subject, ordinal) WHERE status = 'pending';

-- Returns whether the workspace may have one more subscription. Inserts of a workspace take turns.
CREATE FUNCTION event_subscription_room(p_workspace uuid, p_most integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('event subscriptions ' || p_workspace, 0));
  RETURN (SELECT count(*) < p_most FROM event_subscriptions s WHERE s.workspace_id = p_workspace);
END $$;

CREATE FUNCTION is_event_wanted(p_workspace uuid, p_type text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_subscriptions s
    WHERE s.workspace_id = p_workspace AND s.is_active AND p_type = ANY (s.events))
$$;

CREATE FUNCTION event_time(p_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Adds a delivery for each matching subscription and notifies the deliverers. p_about: filter keys and values.
CREATE FUNCTION note_event(p_workspace uuid, p_type text, p_subject text, p_about jsonb, p_data jsonb) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_deliveries (id, workspace_id, subscription_id, type, subject, data)
  SELECT uuid_v7_of_now(), p_workspace, s.id, p_type, p_subject, p_data FROM event_subscriptions s
  WHERE s.workspace_id = p_workspace AND s.is_active AND p_type = ANY (s.events) AND p_about @> s.filter_by;
  IF FOUND THEN PERFORM pg_notify('perdure_events', p_workspace::text); END IF;
END $$;

CREATE FUNCTION note_execution_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_type text := 'execution.' || CASE NEW.status WHEN 'TIMED_OUT' THEN 'timedOut' ELSE lower(NEW.status) END;
BEGIN
  IF NOT is_event_wanted(NEW.workspace_id, v_type) OR is_of_draft(NEW) THEN RETURN NULL; END IF;
  PERFORM note_event(NEW.workspace_id, v_type, 'execution/' || NEW.id,
    jsonb_build_object('workflowId', NEW.workflow_id, 'projectId', NEW.project_id),
    jsonb_build_object('id', NEW.id, 'number', NEW.number, 'name', NEW.name, 'status', NEW.status,
      'workflowId', NEW.workflow_id, 'projectId', NEW.project_id, 'errorCode', NEW.error_code,
      'failedNodeId', NEW.failed_node_id, 'parentExecutionId', NEW.parent_execution_id, 'retryOfId', NEW.retry_of_id,
      'startedAt', event_time(NEW.started_at), 'stoppedAt', event_time(NEW.stopped_at)));
  RETURN NULL;
END $$;
CREATE TRIGGER executions_note_event AFTER UPDATE OF status ON executions FOR EACH ROW
WHEN (NEW.status IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT') AND NOT NEW.is_internal
  AND OLD.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'))
EXECUTE FUNCTION note_execution_event();

CREATE FUNCTION note_question_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_execution executions;
BEGIN
  IF NOT is_event_wanted(NEW.workspace_id, 'question.opened') THEN RETURN NULL; END IF;
  SELECT * INTO v_execution FROM executions e WHERE e.id = NEW.execution_id;
  IF is_of_draft(v_execution) THEN RETURN NULL; END IF;
  PERFORM note_event(NEW.workspace_id, 'question.opened', 'execution/' || NEW.execution_id,
    jsonb_build_object('workflowId', v_execution.workflow_id, 'projectId', v_execution.project_id),
    jsonb_build_object('executionId', NEW.execution_id, 'stepId', NEW.id, 'nodeId', NEW.node_id, 'label', NEW.label,
      'workflowId', v_execution.workflow_id, 'projectId', v_execution.project_id,
      'requestedAt', event_time(NEW.requested_at), 'expiresAt', event_time(NEW.expires_at)));
  RETURN NULL;
END $$;
CREATE TRIGGER pending_inputs_note_event AFTER INSERT ON pending_inputs FOR EACH ROW
WHEN (NEW.status = 'OPEN') EXECUTE FUNCTION note_question_event();

-- Expired leases may move items of several workspaces in one statement.
CREATE FUNCTION note_queue_item_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM made m WHERE m."to" = 'FAILED') THEN
    PERFORM note_event(i.workspace_id, 'queueItem.failed', 'queueItem/' || i.id,
      jsonb_build_object('queueId', i.queue_id, 'projectId', q.project_id),
      jsonb_build_object('id', i.id, 'queueId', i.queue_id, 'projectId', q.project_id, 'externalId', i.external_id,
        'retryCount', i.retry_count, 'lastExecutionId', i.last_execution_id,
        'failedAt', event_time(coalesce(i.processing_completed_at, now()))))
    FROM made m JOIN queue_items i ON i.id = m.item_id JOIN queues q ON q.id = i.queue_id
    WHERE m."to" = 'FAILED' AND is_event_wanted(m.workspace_id, 'queueItem.failed') ORDER BY m.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER queue_item_moves_note_events AFTER INSERT ON queue_item_moves REFERENCING NEW TABLE AS made
FOR EACH STATEMENT EXECUTE FUNCTION note_queue_item_events();

-- If the conversation has continued without an answer, nobody is asked (end_turn).
CREATE FUNCTION note_turn_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_task tasks;
  v_project uuid;
BEGIN
  IF NOT is_event_wanted(NEW.workspace_id, 'turn.needsApproval')
    OR EXISTS (SELECT FROM task_runs q WHERE q.task_id = NEW.task_id AND q.status = 'QUEUED') THEN RETURN NULL; END IF;
  SELECT * INTO v_task FROM tasks t WHERE t.id = NEW.task_id;
  SELECT a.project_id INTO v_project FROM agents a WHERE a.id = v_task.agent_id;
  PERFORM note_event(NEW.workspace_id, 'turn.needsApproval', 'task/' || NEW.task_id,
    jsonb_build_object('agentId', v_task.agent_id, 'projectId', v_project),
    jsonb_build_object('runId', NEW.id, 'taskId', v_task.client_id, 'agentId', v_task.agent_id, 'projectId', v_project,
      'messageId', NEW.message_id, 'parentExecutionId', NEW.parent_execution_id));
  RETURN NULL;
END $$;
CREATE TRIGGER task_runs_note_event AFTER UPDATE OF status ON task_runs FOR EACH ROW
WHEN (NEW.status = 'NEEDS_APPROVAL' AND OLD.status <> 'NEEDS_APPROVAL') EXECUTE FUNCTION note_turn_event();

-- Per statement: imports write a thousand entities at once.
CREATE FUNCTION note_object_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT workspace_id FROM made LIMIT 1) m WHERE is_event_wanted(m.workspace_id, 'object.changed')) THEN
    PERFORM note_event(c.workspace_id, 'object.changed', 'object/' || c.object_id,
      jsonb_build_object('objectTypeSlug', t.slug),
      jsonb_build_object('id', c.object_id, 'objectTypeId', c.object_type_id, 'objectTypeSlug', t.slug,
        'kind', c.kind, 'revision', c.revision, 'fromState', c.from_state, 'toState', c.to_state))
    FROM made c JOIN object_types t ON t.id = c.object_type_id ORDER BY c.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER object_changes_note_events AFTER INSERT ON object_changes REFERENCING NEW TABLE AS made
FOR EACH STATEMENT EXECUTE FUNCTION note_object_events();

CREATE FUNCTION note_connection_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_event_wanted(NEW.workspace_id, 'connection.needsReconnect') THEN
    PERFORM note_event(NEW.workspace_id, 'connection.needsReconnect', 'connection/' || NEW.id, '{}',
      jsonb_build_object('id', NEW.id, 'name', NEW.name, 'slug', NEW.slug, 'appId', NEW.workflow_app_id));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER connections_note_event AFTER UPDATE OF status ON connections FOR EACH ROW
WHEN (NEW.status = 'needsReconnect' AND OLD.status <> 'needsReconnect') EXECUTE FUNCTION note_connection_event();

-- 25-apps.sql
-- Apps of workspaces.

-- `digest` names the present version.
CREATE TABLE apps (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  slug text NOT NULL,
  name text NOT NULL,
  digest text NOT NULL,
  managed_by_code boolean NOT NULL DEFAULT true,
  created_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  revision integer NOT NULL DEFAULT 1,
  applied_project_id uuid,
  applied_owner text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX apps_workspace_id_slug_key ON apps (workspace_id, slug);
CREATE INDEX apps_workspace_id_name_id_idx ON apps (workspace_id, name, id);
CREATE TRIGGER apps_count_revision BEFORE UPDATE ON apps FOR EACH ROW EXECUTE FUNCTION count_revision();

-- Immutable. Outlives its app: executions continue with the version of their definition. json keeps the order of fields.
CREATE TABLE app_versions (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  digest text NOT NULL,
  slug text NOT NULL,
  manifest json NOT NULL,
  -- The digest of the document or bundle in app_contents.
  content_digest text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, digest)
);
CREATE INDEX app_versions_content_idx ON app_versions (workspace_id, content_digest) WHERE content_digest IS NOT NULL;

-- Documents and bundles of code. One that no version names is deleted after a day (engine/duties).
CREATE TABLE app_contents (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  digest text NOT NULL,
  content bytea NOT NULL,
  -- Its latest upload.
  put_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, digest)
);
CREATE INDEX app_contents_put_at_idx ON app_contents (put_at);

-- Signs the calls of an app that runs on http.
CREATE TABLE app_secrets (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  app_id uuid PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
  secret bytea NOT NULL,
  key_id text NOT NULL
);
CREATE INDEX app_secrets_workspace_id_idx ON app_secrets (workspace_id);

-- Counts the changes of the apps of a workspace. Reads of credentials return it, so that each request knows whether its
-- process has the present catalogue.
CREATE TABLE app_catalogues (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
  revision bigint NOT NULL DEFAULT 1
);

CREATE FUNCTION count_app_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A deleted workspace deletes its apps, and has no row left to count in.
  IF TG_OP = 'DELETE' THEN
    UPDATE app_catalogues c SET revision = c.revision + 1 WHERE c.workspace_id = OLD.workspace_id;
  ELSE
    INSERT INTO app_catalogues AS c (workspace_id) VALUES (NEW.workspace_id)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = c.revision + 1;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER apps_count_changes AFTER INSERT OR UPDATE OR DELETE ON apps
FOR EACH ROW EXECUTE FUNCTION count_app_changes();

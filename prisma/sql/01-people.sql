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

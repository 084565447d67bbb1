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
  -- NULL: the person comes by single sign-on or e-mail alone.
  password_hash text,
  -- The workspace that has only named the address, until somebody has shown that it is theirs, or the operator says so.
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

-- A former member has no login there.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  -- The first session of the login: one login may have sessions in several workspaces, and a logout ends all.
  login_id uuid NOT NULL,
  network text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Time of its last access token: the session ends after SESSION_IDLE_TIMEOUT without one.
  refreshed_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  -- When the person last showed in this login who they are, by password, code or single sign-on. NULL: they came by a link.
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

-- Seconds until the subject has fewer than `p_most` entries in the window; null where it has fewer now.
CREATE FUNCTION login_block(p_subject text, p_most integer, p_window interval) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT greatest(1, ceil(extract(epoch FROM failed_at + p_window - now())))::int FROM login_failures
  WHERE subject = p_subject AND failed_at > now() - p_window
  ORDER BY failed_at DESC OFFSET p_most - 1 LIMIT 1
$$;

-- Counts a try of each subject, unless one of them has had its most: then answers the seconds until it has not, and counts
-- nothing. Tries of one subject wait for each other, so that no more than its most are counted however many come at once.
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

-- The authenticator app of a person. It counts once a first code has shown that the person has it.
CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret bytea NOT NULL,
  key_id text NOT NULL,
  confirmed_at timestamptz(3),
  -- Thirty seconds since 1970 of the newest code that was used: neither it nor an older one counts again.
  last_step integer NOT NULL DEFAULT 0
);

CREATE TABLE backup_codes (
  user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (user_id, code_hash)
);

-- Logins that wait for the second factor.
CREATE TABLE pending_logins (
  token_hash bytea PRIMARY KEY,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  -- The first factor was the password, and no link.
  is_proof boolean NOT NULL DEFAULT false,
  expires_at timestamptz(3) NOT NULL,
  FOREIGN KEY (workspace_id, user_id) REFERENCES workspace_users ON DELETE CASCADE
);
CREATE INDEX pending_logins_workspace_id_user_id_idx ON pending_logins (workspace_id, user_id);
CREATE INDEX pending_logins_expires_at_idx ON pending_logins (expires_at);

-- Places in a workspace that nobody has accepted yet. They name an address, and no person: whether there is one is asked when it
-- is accepted.
CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  email text NOT NULL,
  -- As whoever invites has typed it.
  name text NOT NULL,
  role text NOT NULL,
  invited_by_user_id uuid REFERENCES users ON DELETE SET NULL,
  -- NULL: the person accepts it in their account, or comes by single sign-on.
  token_hash bytea,
  -- The token went by e-mail alone: its bearer reads the mail of the address.
  proves_email boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- NULL: a place that the person had before the address was shown to be theirs; it awaits their word.
  expires_at timestamptz(3)
);
CREATE UNIQUE INDEX invitations_workspace_id_email_key ON invitations (workspace_id, email);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE INDEX invitations_email_idx ON invitations (email);
CREATE INDEX invitations_invited_by_user_id_idx ON invitations (invited_by_user_id);

-- Hidden tokens of single sign-on and of links to members, each for one login.
CREATE TABLE login_tokens (
  token_hash bytea PRIMARY KEY,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  asks_second_factor boolean NOT NULL,
  -- It was sent by e-mail: its bearer reads the mail of the address.
  proves_email boolean NOT NULL DEFAULT false,
  expires_at timestamptz(3) NOT NULL,
  FOREIGN KEY (workspace_id, user_id) REFERENCES workspace_users ON DELETE CASCADE
);
CREATE INDEX login_tokens_workspace_id_user_id_idx ON login_tokens (workspace_id, user_id);
CREATE INDEX login_tokens_expires_at_idx ON login_tokens (expires_at);

-- People who are at an identity provider now. Each is bound to the browser that left for it.
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

-- The identity of a person at a provider, from the first login on, independent of the e-mail address.
CREATE TABLE identities (
  provider_id text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, issuer, subject)
);
CREATE INDEX identities_user_id_idx ON identities (user_id);

-- The person of an address, for whoever comes in by it: the one way in which an address gets to somebody. `p_named_by` is NULL where
-- it has been shown whose the address is, or the operator says so; otherwise it is the workspace that has only named it.
-- Somebody of whom nobody has shown that the address is theirs is taken over clean: by a proof, whoever has named them, and without
-- one by the workspace alone that has named them. All by which they came in before is void, and a place in another
-- workspace than `p_workspace_id` becomes an invitation, for the person to accept (NULL: places stay).
-- With p_id NULL nobody is made. `claim`: new, takenOver or known; no row: there is nobody.
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
  -- Statements after the lock of the person: a login that was beginning has begun, and is found.
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
    -- The id of the person: a workspace goes on knowing by it whom it had named. They had a place there alone.
    INSERT INTO invitations (id, workspace_id, email, name, role)
    SELECT v_id, left_places.workspace_id, p_email, users.name, left_places.role
    FROM left_places JOIN users ON users.id = v_id
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN QUERY SELECT v_id, 'takenOver'::text;
END $$;

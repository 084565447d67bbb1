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

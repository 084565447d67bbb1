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

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

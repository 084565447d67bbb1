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

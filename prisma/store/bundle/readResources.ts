import type { StoredResource } from '../../../domain/bundle/bundle.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { isoTime } from '../resource.ts';

/** The definition of a workflow without a published version. */
const EMPTY = JSON.stringify({ trigger: { id: 'trigger', type: 'manual', config: {} }, nodes: [], edges: [] });

export interface ResourceRow extends Omit<StoredResource, 'fields'> {
  fields: JsonObject;
  /** Base64, for a secret variable. */
  sealed: string | null;
  keyId: string | null;
}

/**
 * Includes entity types, knowledge bases and apps of the workspace that the project applied, or with the given ids or slugs.
 */
export async function readResources(
  database: Database,
  workspaceId: string,
  projectId: string,
  shared: {
    ids: readonly string[];
    typeSlugs: readonly string[];
    baseSlugs: readonly string[];
    appSlugs: readonly string[];
  },
): Promise<ResourceRow[] | undefined> {
  const own = Prisma.sql`workspace_id = ${workspaceId}::uuid AND project_id = ${projectId}::uuid`;
  const ofWorkspace = (slugs: readonly string[]) => Prisma.sql`workspace_id = ${workspaceId}::uuid
    AND (applied_project_id = ${projectId}::uuid OR id = ANY (${[...shared.ids]}::uuid[]) OR slug = ANY (${[...slugs]}::text[]))`;
  const applied = Prisma.sql`coalesce(applied_project_id = ${projectId}::uuid, false)`;
  const ownerHere = Prisma.sql`CASE WHEN ${applied} THEN applied_owner END`;
  // Raw: one snapshot; json, because the members of a schema have an order.
  const rows = await rowsOf<ResourceRow & { isThere: boolean }>(
    database,
    Prisma.sql`
    WITH found AS (
      SELECT 'workflow' AS kind, w.id, w.slug, w.managed_by_code AS code, w.applied_owner AS owner, (jsonb_build_object('name', w.name,
          'description', w.description, 'isActive', w.is_active, 'isInternal', w.is_internal,
          'orientation', w.orientation, 'timeoutMs', w.timeout_ms, 'maxConcurrent', w.max_concurrent,
          'exposeAsTool', w.expose_as_tool,
          'onFailureWorkflowId', w.on_failure_workflow_id) || coalesce(v.definition, ${EMPTY}::jsonb))::json AS fields, NULL AS sealed, NULL AS key_id, v.id IS NULL AS unpublished
      FROM (SELECT * FROM workflows WHERE ${own}) w LEFT JOIN workflow_versions v ON v.id = w.version_id
      UNION ALL SELECT 'agent', id, slug, managed_by_code, applied_owner, (jsonb_build_object('name', name,
          'description', description, 'builderSetupCompletedAt', ${isoTime(Prisma.sql`builder_setup_completed_at`)},
          'builderCanvasPositions', builder_canvas_positions) || definition)::json, NULL, NULL, false
      FROM agents WHERE ${own}
      UNION ALL SELECT 'queue', id, slug, applied_project_id IS NOT NULL, applied_owner, json_build_object('name', name,
          'description', description, 'priority', priority, 'isActive', is_active, 'maxRetries', max_retries,
          'retryDelayMinutes', retry_delay_minutes, 'batchSize', batch_size, 'maxConcurrent', max_concurrent,
          'dataSchema', data_schema), NULL, NULL, false
      FROM queues WHERE ${own} AND deleted_at IS NULL
      UNION ALL SELECT 'variable', id, name, applied_project_id IS NOT NULL, applied_owner, json_build_object(
          'description', description, 'isSecret', is_secret, 'value', value), encode(sealed, 'base64'), key_id, false
      FROM variables WHERE ${own}
      UNION ALL SELECT 'objectType', id, slug, ${applied}, ${ownerHere}, json_build_object('name', name,
          'description', description, 'attributeSchema', attribute_schema, 'stateSchema', state_schema,
          'allowUnknownAttributes', allow_unknown_attributes, 'isEnabled', is_enabled), NULL, NULL, false
      FROM object_types WHERE ${ofWorkspace(shared.typeSlugs)}
      UNION ALL SELECT 'knowledge', id, slug, ${applied}, ${ownerHere}, json_build_object('name', name,
          'description', description, 'embeddingProvider', embedding_provider, 'embeddingModel', embedding_model,
          'dimensions', dimensions, 'chunkSize', chunk_size, 'chunkOverlap', chunk_overlap), NULL, NULL, false
      FROM knowledge_bases WHERE ${ofWorkspace(shared.baseSlugs)}
      UNION ALL SELECT 'app', id, slug, ${applied}, ${ownerHere}, (SELECT m.manifest FROM app_versions m
          WHERE m.workspace_id = apps.workspace_id AND m.digest = apps.digest), NULL, NULL, false
      FROM apps WHERE ${ofWorkspace(shared.appSlugs)}
    )
    SELECT p.id IS NOT NULL AS "isThere", f.kind, f.id, f.slug, f.code AS "isOfCode", f.owner, f.fields, f.sealed,
      f.key_id AS "keyId", f.unpublished AS "isUnpublished"
    FROM (VALUES (1)) one
    LEFT JOIN projects p ON p.id = ${projectId}::uuid AND p.workspace_id = ${workspaceId}::uuid
    LEFT JOIN found f ON p.id IS NOT NULL`,
  );
  if (rows[0]?.isThere !== true) return undefined;
  return rows.filter(({ id }) => id !== null).map(({ isThere: _, ...row }) => row);
}

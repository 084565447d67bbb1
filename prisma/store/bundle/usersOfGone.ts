import type { BundleKind, StoredResource } from '../../../domain/bundle/bundle.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { namedBy } from '../../../domain/reference/namedBy.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** Workflows and agents of other projects, and entity types, that may name one of these. */
export function readOtherUsers(
  database: Database,
  workspaceId: string,
  projectId: string,
  gone: readonly StoredResource[],
): Promise<{ kind: BundleKind; id: string; slug: string; fields: JsonObject }[]> {
  const ids = gone.map(({ id }) => id);
  const named = namedBy(gone.map(({ kind, id }) => ({ kind, by: 'id', name: id })));
  const types = gone.filter(({ kind }) => kind === 'objectType').map(({ slug }) => `%"${slug}"%`);
  const others = Prisma.sql`workspace_id = ${workspaceId}::uuid AND project_id <> ${projectId}::uuid`;
  // Raw: rows of three tables by what is kept of their definitions; only where something goes.
  return rowsOf(
    database,
    Prisma.sql`
    SELECT 'workflow' AS kind, w.id, w.slug,
      (v.definition || jsonb_build_object('onFailureWorkflowId', w.on_failure_workflow_id))::json AS fields
    FROM (SELECT * FROM workflows WHERE ${others}) w JOIN workflow_versions v ON v.id = w.version_id
    WHERE v.named && ${named}::text[] OR w.on_failure_workflow_id = ANY (${ids}::uuid[])
    UNION ALL SELECT 'agent', id, slug, definition::json FROM agents
    WHERE ${others} AND named && ${named}::text[]
    UNION ALL SELECT 'objectType', id, slug, json_build_object('attributeSchema', attribute_schema) FROM object_types
    WHERE workspace_id = ${workspaceId}::uuid AND attribute_schema::text LIKE ANY (${types}::text[])
      AND NOT id = ANY (${ids}::uuid[])`,
  );
}

/** What they hold that is no code, in words, by their ids. */
export async function readContents(
  database: Database,
  workspaceId: string,
  gone: readonly StoredResource[],
): Promise<Map<string, string[]>> {
  const ids = gone.map(({ id }) => id);
  const rows = await rowsOf<{ id: string; said: string }>(
    database,
    Prisma.sql`
    SELECT object_type_id AS id, count(*) || ' entities are of it' AS said FROM objects
    WHERE workspace_id = ${workspaceId}::uuid AND object_type_id = ANY (${ids}::uuid[]) AND deleted_at IS NULL
    GROUP BY object_type_id
    UNION ALL SELECT id, document_count || ' documents are in it' FROM knowledge_bases
    WHERE workspace_id = ${workspaceId}::uuid AND id = ANY (${ids}::uuid[]) AND document_count > 0`,
  );
  return new Map(rows.map(({ id, said }) => [id, [said]]));
}

import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface FoundReferences {
  /** `slug id` of the existing ones: the slug of their type. */
  objects: ReadonlySet<string>;
  /** Members of the workspace. */
  users: ReadonlySet<string>;
}

/** The entities and members among these that exist in the workspace. Ids must be UUIDs. */
export async function findReferences(
  database: Database,
  workspaceId: string,
  objectIds: readonly string[],
  userIds: readonly string[],
): Promise<FoundReferences> {
  if (objectIds.length === 0 && userIds.length === 0) return { objects: new Set(), users: new Set() };
  // Raw: a set at once, of two tables.
  const rows = await rowsOf<{ slug: string | null; id: string }>(
    database,
    Prisma.sql`
    SELECT y.slug, o.id FROM objects o JOIN object_types y ON y.id = o.object_type_id
    WHERE o.workspace_id = ${workspaceId}::uuid AND o.id = ANY(${[...new Set(objectIds)]}::uuid[]) AND o.deleted_at IS NULL
    UNION ALL
    SELECT NULL, m.user_id FROM workspace_users m
    WHERE m.workspace_id = ${workspaceId}::uuid AND m.user_id = ANY(${[...userIds]}::uuid[])`,
  );
  return {
    objects: new Set(rows.flatMap(({ slug, id }) => (slug === null ? [] : [`${slug} ${id}`]))),
    users: new Set(rows.flatMap(({ slug, id }) => (slug === null ? [id] : []))),
  };
}

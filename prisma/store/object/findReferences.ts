import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';

/** An entity by id, with the slug of the type that it should be of. */
export interface Reference {
  slug: string;
  id: string;
}

export interface FoundReferences {
  /** `slug id` of the existing ones. */
  objects: ReadonlySet<string>;
  /** Members of the workspace. */
  users: ReadonlySet<string>;
}

/** The entities and members among these that exist in the workspace. Ids must be UUIDs. */
export async function findReferences(
  database: Database,
  workspaceId: string,
  objects: readonly Reference[],
  userIds: readonly string[],
): Promise<FoundReferences> {
  if (objects.length === 0 && userIds.length === 0) return { objects: new Set(), users: new Set() };
  // Raw: a set at once, of two tables.
  const rows = await rowsOf<{ slug: string | null; id: string }>(
    database,
    Prisma.sql`
    SELECT r.slug, o.id FROM ${recordset(objects, { slug: 'text', id: 'uuid' })}
      JOIN object_types y ON y.workspace_id = ${workspaceId}::uuid AND y.slug = r.slug
      JOIN objects o ON o.id = r.id AND o.object_type_id = y.id AND o.deleted_at IS NULL
    UNION ALL
    SELECT NULL, m.user_id FROM workspace_users m
    WHERE m.workspace_id = ${workspaceId}::uuid AND m.user_id = ANY(${[...userIds]}::uuid[])`,
  );
  return {
    objects: new Set(rows.flatMap(({ slug, id }) => (slug === null ? [] : [`${slug} ${id}`]))),
    users: new Set(rows.flatMap(({ slug, id }) => (slug === null ? [id] : []))),
  };
}

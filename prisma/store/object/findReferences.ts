import { isUuid } from '../../../domain/isUuid.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface FoundReferences {
  hasObject(reference: { slug: string; id: string }): boolean;
  hasMember(userId: string): boolean;
}

/** Returns which of these entities and members exist in the workspace. A text that is not a UUID matches nothing. */
export async function findReferences(
  database: Database,
  workspaceId: string,
  objectIds: readonly string[],
  userIds: readonly string[],
): Promise<FoundReferences> {
  const [objects, users] = [idsAmong(objectIds), idsAmong(userIds)];
  if (objects.length === 0 && users.length === 0) return { hasObject: () => false, hasMember: () => false };
  const rows = await rowsOf<{ slug: string | null; id: string }>(
    database,
    Prisma.sql`
    SELECT y.slug, o.id FROM objects o JOIN object_types y ON y.id = o.object_type_id
    WHERE o.workspace_id = ${workspaceId}::uuid AND o.id = ANY(${objects}::uuid[]) AND o.deleted_at IS NULL
    UNION ALL
    SELECT NULL, m.user_id FROM workspace_users m
    WHERE m.workspace_id = ${workspaceId}::uuid AND m.user_id = ANY(${users}::uuid[])`,
  );
  const types = new Map(rows.flatMap(({ slug, id }) => (slug === null ? [] : [[id, slug]])));
  const members = new Set(rows.flatMap(({ slug, id }) => (slug === null ? [id] : [])));
  return {
    hasObject: ({ slug, id }) => types.get(id.toLowerCase()) === slug,
    hasMember: (userId) => members.has(userId.toLowerCase()),
  };
}

function idsAmong(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter(isUuid);
}

import type { Database } from '../../client.ts';

export interface NamedType {
  id: string;
  slug: string;
  name: string;
  description: string | null;
}

export async function namedTypes(
  database: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<NamedType[]> {
  if (ids.length === 0) return [];
  return database.objectType.findMany({
    where: { workspaceId, id: { in: [...ids] }, isEnabled: true },
    select: { id: true, slug: true, name: true, description: true },
    orderBy: { slug: 'asc' },
  });
}

import type { Database } from '../../client.ts';

export interface NamedBase {
  id: string;
  name: string;
  description: string | null;
}

/** Of these knowledge bases those that the workspace has, by id. */
export async function namedBases(
  database: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<NamedBase[]> {
  if (ids.length === 0) return [];
  return database.knowledgeBase.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    select: { id: true, name: true, description: true },
    orderBy: { id: 'asc' },
  });
}

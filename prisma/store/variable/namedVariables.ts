import type { Database } from '../../client.ts';

/** Of these variables those that the workspace has, by name; of one name the project's comes last. */
export async function namedVariables(database: Database, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return database.variable.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    select: { name: true, description: true, value: true },
    orderBy: [{ name: 'asc' }, { projectId: { sort: 'asc', nulls: 'first' } }],
  });
}

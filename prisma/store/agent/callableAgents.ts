import type { Database } from '../../client.ts';

export interface CallableAgent {
  id: string;
  slug: string;
  name: string;
  description: string | null;
}

export async function callableAgents(
  database: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<CallableAgent[]> {
  if (ids.length === 0) return [];
  return database.agent.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    select: { id: true, slug: true, name: true, description: true },
    orderBy: { id: 'asc' },
  });
}

import { isUuid } from '../../../domain/isUuid.ts';
import type { Database } from '../../client.ts';

export async function findAgent(
  database: Database,
  workspaceId: string,
  executionId: string,
  which: { id: string } | { slug: string },
): Promise<{ id: string; name: string } | undefined> {
  if ('id' in which) {
    if (!isUuid(which.id)) return undefined;
    const found = await database.agent.findFirst({
      where: { id: which.id, workspaceId },
      select: { id: true, name: true },
    });
    return found ?? undefined;
  }
  // Raw: the execution's project comes first in the order.
  const [row] = await database.$queryRaw<{ id: string; name: string }[]>`
    SELECT a.id::text AS id, a.name FROM agents a
    WHERE a.workspace_id = ${workspaceId}::uuid AND a.slug = ${which.slug}
    ORDER BY a.project_id IS DISTINCT FROM (
      SELECT e.project_id FROM executions e
      WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid), a.created_at, a.id
    LIMIT 1`;
  return row;
}

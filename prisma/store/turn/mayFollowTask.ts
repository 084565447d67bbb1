import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { maySeeAgent } from '../agent/agentAccess.ts';

/** Whether the agent's task exists and the caller may still use the agent: a grant may have been revoked. */
export async function mayFollowTask(
  database: Database,
  viewer: Viewer,
  { agentId, taskId }: { agentId: string; taskId: string },
): Promise<boolean> {
  const rows = await rowsOf(
    database,
    Prisma.sql`SELECT FROM tasks t WHERE t.client_id = ${taskId} AND t.agent_id = ${agentId}::uuid
      AND t.workspace_id = ${viewer.workspaceId}::uuid AND ${maySeeAgent(viewer, Prisma.sql`t.agent_id`)}`,
  );
  return rows.length > 0;
}

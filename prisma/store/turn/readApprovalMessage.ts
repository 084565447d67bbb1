import type { UIMessage } from 'ai';
import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { listedRows } from '../rows.ts';
import { TASK } from '../task/resource.ts';

/** That of the newest turn. Undefined if it awaits none, or the caller may not see such a task. */
export async function readApprovalMessage(
  database: Database,
  viewer: Viewer,
  { agentId, taskId }: { agentId: string; taskId: string },
): Promise<UIMessage['parts'] | undefined> {
  const conditions = [Prisma.sql`t.agent_id = ${agentId}::uuid`, Prisma.sql`t.client_id = ${taskId}`];
  const [row] = await rowsOf<{ parts: UIMessage['parts'] }>(
    database,
    Prisma.sql`
    SELECT m.parts FROM (
      SELECT r.* FROM task_runs r WHERE r.task_id = (
        SELECT t.id FROM tasks t WHERE ${listedRows(TASK, viewer, { conditions })})
      ORDER BY r.number DESC LIMIT 1
    ) r JOIN task_messages m ON m.task_id = r.task_id AND m.id = r.message_id WHERE r.status = 'NEEDS_APPROVAL'`,
  );
  return row?.parts;
}

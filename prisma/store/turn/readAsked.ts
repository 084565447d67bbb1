import type { UIMessage } from 'ai';
import type { Database } from '../../client.ts';

/** Parts of the message about which the newest turn of a task waits for a person; undefined where it waits for none. */
export async function readAsked(
  database: Database,
  workspaceId: string,
  taskId: string,
): Promise<UIMessage['parts'] | undefined> {
  // Raw: the message of the newest turn.
  const [row] = await database.$queryRaw<{ parts: UIMessage['parts'] }[]>`
    SELECT m.parts FROM (
      SELECT r.* FROM task_runs r WHERE r.task_id = ${taskId} AND r.workspace_id = ${workspaceId}::uuid
      ORDER BY r.number DESC LIMIT 1
    ) r JOIN task_messages m ON m.task_id = r.task_id AND m.id = r.message_id WHERE r.status = 'NEEDS_APPROVAL'`;
  return row?.parts;
}

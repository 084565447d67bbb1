import { isPermission, type Permission, ROLE_PERMISSIONS, type Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';

export interface TaskOwner {
  kind: 'user' | 'apiKey';
  id: string;
  /** The owner may not see tasks of others, so it has its own facts. */
  seesOnlyOwn: boolean;
}

/** Returns the owner of a task, or of the calling task if an agent created it. Undefined if the owner was deleted. */
export async function readTaskOwner(
  database: Database,
  workspaceId: string,
  taskId: string,
): Promise<TaskOwner | undefined> {
  const [row] = await database.$queryRaw<
    { userId: string | null; role: Role | null; apiKeyId: string | null; permissions: string[] | null }[]
  >`
    WITH RECURSIVE asked AS (
      SELECT t.* FROM tasks t WHERE t.id = ${taskId}::uuid AND t.workspace_id = ${workspaceId}::uuid
      UNION ALL
      SELECT p.* FROM asked c JOIN tasks p ON p.id = c.parent_task_id AND p.workspace_id = c.workspace_id
    )
    SELECT m.user_id AS "userId", m.role, k.id AS "apiKeyId", k.permissions FROM asked t
    LEFT JOIN workspace_users m ON m.workspace_id = t.workspace_id AND m.user_id = t.created_by_user_id
    LEFT JOIN api_keys k ON k.workspace_id = t.workspace_id AND k.id = t.created_by_api_key_id
    WHERE t.parent_task_id IS NULL`;
  if (!row) return undefined;
  const owner = (kind: TaskOwner['kind'], id: string, permissions: readonly Permission[]): TaskOwner => ({
    ...{ kind, id },
    seesOnlyOwn: !permissions.includes('agents:read'),
  });
  if (row.userId !== null) return owner('user', row.userId, row.role === null ? [] : ROLE_PERMISSIONS[row.role]);
  if (row.apiKeyId !== null) return owner('apiKey', row.apiKeyId, (row.permissions ?? []).filter(isPermission));
  return undefined;
}

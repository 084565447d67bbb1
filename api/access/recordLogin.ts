import type { Told } from '../operation.ts';

/** Records the person and the workspace of a login in the audit log. */
export function recordLogin(told: Told, { workspaceId, userId }: { workspaceId: string; userId: string }): void {
  Object.assign(told, { workspaceId, actor: { type: 'user', id: userId }, resourceId: userId } satisfies Told);
}

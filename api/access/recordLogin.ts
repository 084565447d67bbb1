import type { Told } from '../operation.ts';

/** Tells the audit log who has logged in, and to which workspace. */
export function recordLogin(told: Told, { workspaceId, userId }: { workspaceId: string; userId: string }): void {
  Object.assign(told, { workspaceId, actor: { type: 'user', id: userId }, resourceId: userId } satisfies Told);
}

import type { Told } from '../operation.ts';

/** For the audit log: this person has come into this workspace. */
export function cameIn(told: Told, { workspaceId, userId }: { workspaceId: string; userId: string }): void {
  Object.assign(told, { workspaceId, actor: { type: 'user', id: userId }, resourceId: userId } satisfies Told);
}

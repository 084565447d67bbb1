import type { AuditDetails } from '../operation.ts';

export function recordLogin(
  auditDetails: AuditDetails,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): void {
  Object.assign(auditDetails, {
    workspaceId,
    actor: { type: 'user', id: userId },
    resourceId: userId,
  } satisfies AuditDetails);
}

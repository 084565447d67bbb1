import type { AuditDetails } from '../operation.ts';

/** Records the person and the workspace of a login in the audit log. */
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

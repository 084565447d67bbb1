import { PERMISSIONS } from '../../../domain/access/permission.ts';
import { Problem } from '../../../domain/problem.ts';
import { readCurrentApiKey } from '../../../prisma/store/apiKey/readCurrentApiKey.ts';
import { readCurrentUser } from '../../../prisma/store/user/readCurrentUser.ts';
import type { Operation } from '../../operation.ts';

export const getCurrentUser: Operation<'getCurrentUser'> = async ({ caller, services: { database } }) => {
  const permissions = PERMISSIONS.filter((permission) => caller.permissions.has(permission));
  if (caller.kind === 'apiKey') {
    const found = await readCurrentApiKey(database, caller.workspaceId, caller.apiKeyId);
    if (!found) throw new Problem('UNAUTHENTICATED', 'The API key was revoked or deleted');
    return { ...found, permissions };
  }
  const found = await readCurrentUser(database, caller.workspaceId, caller.userId);
  if (!found) throw new Problem('UNAUTHENTICATED', 'You are no longer a member of the workspace');
  return { ...found, permissions };
};

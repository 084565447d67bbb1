import { isPermission, ROLE_PERMISSIONS } from '../../domain/access/permission.ts';
import type { Database } from '../../prisma/client.ts';
import { findLiveApiKey } from '../../prisma/store/apiKey/findLiveApiKey.ts';
import { findSession } from '../../prisma/store/session/findSession.ts';
import type { Caller } from '../operation.ts';

/** The caller of a request that goes on, with what it may do now; undefined where its key or session counts no more. */
export async function presentCaller(database: Database, caller: Caller): Promise<Caller | undefined> {
  const { workspaceId } = caller;
  if (caller.kind === 'apiKey') {
    const found = await findLiveApiKey(database, workspaceId, caller.apiKeyId);
    return found && { ...caller, permissions: new Set(found.permissions.filter(isPermission)) };
  }
  const found = await findSession(database, workspaceId, caller);
  return found && { ...caller, permissions: new Set(ROLE_PERMISSIONS[found.role]) };
}

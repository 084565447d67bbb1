import { Problem } from '../../domain/problem.ts';
import type { Route } from '../openapi.ts';
import type { Stage } from './stage.ts';

/**
 * Reads share the database connections by workspace: a workspace with hundreds of slow reads gets at most half, and its
 * further reads wait. A stream holds no connection while it waits.
 */
export const fairRead: Stage = async ({ route, caller, reads, signal }, next) => {
  if (!caller || !isRead(route)) return next();
  const { workspaceId } = caller;
  try {
    await reads.enter(workspaceId, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Problem('REQUEST_TIMEOUT', 'The caller closed the connection while its read waited');
  }
  try {
    return await next();
  } finally {
    reads.leave(workspaceId);
  }
};

function isRead({ method, isStream, isNoRead }: Route): boolean {
  return method === 'get' && !isStream && !isNoRead;
}

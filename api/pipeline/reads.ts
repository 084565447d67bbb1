import { Problem } from '../../domain/problem.ts';
import type { Route } from '../openapi.ts';
import type { Call, Stage } from './stage.ts';

/**
 * Reads share the database connections by workspace: a workspace with hundreds of slow reads gets at most half, and its
 * further reads wait. A stream holds no connection while it waits.
 */
export const fairRead: Stage = async (call, next) => (isRead(call.route) ? atReadPlace(call, next) : next());

/**
 * A read of the call, at one of the places; a call without a caller needs none. For an operation that reads between longer waits (for a
 * slow client, for a provider of embeddings): it holds a place for each of its reads, and none meanwhile.
 */
export async function atReadPlace<T>({ caller, reads, signal }: Call, next: () => Promise<T>): Promise<T> {
  if (!caller) return next();
  const { workspaceId } = caller;
  if (!(await reads.enter(workspaceId, signal)))
    throw new Problem('REQUEST_TIMEOUT', 'The caller closed the connection while its read waited');
  try {
    return await next();
  } finally {
    reads.leave(workspaceId);
  }
}

function isRead({ method, isStream, isNoRead }: Route): boolean {
  return method === 'get' && !isStream && !isNoRead;
}

import { Problem } from '../../domain/problem.ts';
import type { Route } from '../openapi.ts';
import type { Call, Stage } from './stage.ts';

/** A workspace gets at most half of the database connections, however many reads it has. Waiting streams hold none. */
export const fairRead: Stage = async (call, next) => (isRead(call.route) ? atReadPlace(call, next) : next());

/** Runs one read at a place, for operations that hold none during longer waits. Public calls need none. */
export async function atReadPlace<T>({ caller, reads, signal }: Call, next: () => Promise<T>): Promise<T> {
  if (!caller) return next();
  const { workspaceId } = caller;
  if (!(await reads.enter(workspaceId, signal)))
    throw new Problem('REQUEST_TIMEOUT', 'The caller closed the connection while its read was waiting');
  try {
    return await next();
  } finally {
    reads.leave(workspaceId);
  }
}

function isRead({ method, isStream, isNoRead }: Route): boolean {
  return method === 'get' && !isStream && !isNoRead;
}

import { Problem } from '../../domain/problem.ts';
import { Prisma } from '../generated/client.ts';
import { readCursor, writeCursor } from './cursor.ts';

export function cursorBehind(list: string, id: string): string {
  return writeCursor(list, { position: [id], seen: null, inChanged: false });
}

/** Returns the id of the last item of the previous page. Throws VALIDATION_FAILED for a cursor of another list. */
export function idOfCursor(list: string, cursor: string, type: 'text' | 'uuid'): string {
  const id = readCursor(cursor, list, [{ sql: Prisma.empty, type, direction: 'asc' }], false)?.position?.[0];
  if (id === undefined || id === null) throw notOfThisList();
  return id;
}

export function notOfThisList(): Problem {
  const errors = [{ path: 'cursor', message: 'is not a cursor of this list' }];
  return new Problem('VALIDATION_FAILED', 'cursor: is not a cursor of this list', { errors });
}

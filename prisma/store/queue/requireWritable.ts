import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { noneOf, refusedWrite } from '../refusals.ts';
import { rowOf } from '../rows.ts';
import { QUEUE } from './resource.ts';

/** Matches the queue as row `t` if the caller may see it and it accepts writes. */
export function writableQueue(viewer: Viewer, queueId: string): Prisma.Sql {
  return Prisma.sql`${rowOf(QUEUE, viewer, queueId, {})} AND ${noneOf(QUEUE.frozen)}`;
}

/** Throws NOT_FOUND for an unknown queue, and CONFLICT for a deleted one. */
export async function requireWritableQueue(database: Database, viewer: Viewer, queueId: string): Promise<void> {
  const where = writableQueue(viewer, queueId);
  const [row] = await rowsOf<{ id: string }>(database, Prisma.sql`SELECT t.id FROM queues t WHERE ${where}`);
  if (!row) throw await refusedWrite(database, viewer, QUEUE, queueId, undefined, QUEUE.frozen);
}

export async function hasQueue(database: Database, workspaceId: string, queueId: string): Promise<boolean> {
  const found = await database.queue.count({ where: { id: queueId, workspaceId, deletedAt: null } });
  return found > 0;
}

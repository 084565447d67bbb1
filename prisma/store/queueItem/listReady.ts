import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { Item } from '../items.ts';
import type { ReadOptions } from '../readResource.ts';
import { rowsAmong } from '../rowsAmong.ts';
import { type ReadyOptions, readyItems } from './readyItems.ts';
import { QUEUE_ITEM } from './resource.ts';

/** Lists ready items in claim order. Includes due retries of an inactive queue. */
export function listReady(
  database: Database,
  viewer: Viewer,
  queueId: string,
  ready: ReadyOptions,
  options: ReadOptions,
): Promise<Item[]> {
  const active = ready.only === 'RETRYING' ? Prisma.sql`true` : Prisma.sql`q.is_active`;
  const queue = Prisma.sql`(SELECT q.id FROM queues q
    WHERE q.id = ${queueId}::uuid AND q.workspace_id = ${viewer.workspaceId}::uuid AND ${active})`;
  const among = Prisma.sql`SELECT r.id, row_number() OVER (ORDER BY r.priority DESC, r.created_at, r.id) AS ordinal
    FROM (${readyItems(viewer.workspaceId, queue, ready)}) r`;
  return rowsAmong(database, viewer, QUEUE_ITEM, among, { ...options, scope: { queueId } });
}

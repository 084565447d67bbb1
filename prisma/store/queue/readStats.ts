import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notFound } from '../readResource.ts';
import { rowOf } from '../rows.ts';
import { ITEM_STATS, QUEUE_STATS } from './counts.ts';
import { ANY_QUEUE } from './resource.ts';

const STATS = { queue: QUEUE_STATS, items: ITEM_STATS };

/** Throws NOT_FOUND. */
export async function readStats(
  database: Database,
  viewer: Viewer,
  queueId: string,
  of: keyof typeof STATS,
): Promise<Json> {
  const [row] = await rowsOf<{ stats: Json }>(
    database,
    Prisma.sql`SELECT ${STATS[of]} AS stats FROM queues t WHERE ${rowOf(ANY_QUEUE, viewer, queueId, {})}`,
  );
  if (!row) throw notFound(ANY_QUEUE);
  return row.stats;
}

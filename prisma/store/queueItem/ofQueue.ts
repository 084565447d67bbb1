import { Prisma } from '../../generated/client.ts';

/** How item `t` is tried again: as it says itself, or as its queue does. */
export function ofQueue(name: 'max_retries' | 'retry_delay_minutes'): Prisma.Sql {
  const own = Prisma.raw(name);
  return Prisma.sql`coalesce(t.${own}, (SELECT q.${own} FROM queues q WHERE q.id = t.queue_id))`;
}

import type { ItemStatus } from '../../../domain/queue/itemStatus.ts';
import { Prisma } from '../../generated/client.ts';

/** When an item becomes ready again: null if that time has passed. */
export function dueAt(time: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`CASE WHEN ${time} > now() THEN ${time} END`;
}

const LEFT = Prisma.sql`execution_id = NULL, lease_worker = NULL, lease_by = NULL, lease_expires_at = NULL`;

/** When item `t` is retried, by its own delay or its queue's. */
const RETRY_AT = Prisma.sql`now() + make_interval(secs => 60 * ${ofQueue('retry_delay_minutes')})`;

export interface Arrival {
  retryAt?: Prisma.Sql | undefined;
  /** The schedule that the caller sets, for PENDING. */
  scheduledFor?: Prisma.Sql | undefined;
}

/** A move also sets `movedBy`; fail_queue_items handles errors. */
export function arrivalAt(
  status: ItemStatus,
  { retryAt = RETRY_AT, scheduledFor = Prisma.sql`t.scheduled_for` }: Arrival = {},
): Prisma.Sql[] {
  const moved = Prisma.sql`status = ${status}`;
  switch (status) {
    case 'PENDING':
      return [moved, LEFT, ...times('NULL', 'NULL'), NO_RETRY, Prisma.sql`due_at = ${dueAt(scheduledFor)}`];
    case 'PROCESSING':
      return [moved, ...times('now()', 'NULL'), NO_RETRY, Prisma.sql`due_at = NULL`];
    case 'RETRYING':
      return [
        moved,
        LEFT,
        Prisma.sql`processing_completed_at = NULL`,
        Prisma.sql`next_retry_at = ${retryAt}`,
        Prisma.sql`due_at = ${dueAt(retryAt)}`,
      ];
    case 'COMPLETED':
    case 'FAILED':
    case 'CANCELLED':
      return [moved, LEFT, ...ENDED, NO_RETRY, Prisma.sql`due_at = NULL`];
  }
}

/** Statistics measure between these. An item that only waited has no start; one that had failed keeps its end. */
const ENDED = [
  Prisma.sql`processing_started_at = CASE WHEN t.status IN ('PROCESSING', 'FAILED') THEN t.processing_started_at END`,
  Prisma.sql`processing_completed_at = CASE WHEN t.status = 'FAILED' THEN t.processing_completed_at ELSE now() END`,
];

const NO_RETRY = Prisma.sql`next_retry_at = NULL`;

function times(startedAt: 'now()' | 'NULL', completedAt: 'NULL'): Prisma.Sql[] {
  return [
    Prisma.sql`processing_started_at = ${Prisma.raw(startedAt)}`,
    Prisma.sql`processing_completed_at = ${Prisma.raw(completedAt)}`,
  ];
}

export function ofQueue(name: 'max_retries' | 'retry_delay_minutes'): Prisma.Sql {
  const own = Prisma.raw(name);
  return Prisma.sql`coalesce(t.${own}, (SELECT q.${own} FROM queues q WHERE q.id = t.queue_id))`;
}

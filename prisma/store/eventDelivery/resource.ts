import { Prisma } from '../../generated/client.ts';
import { EVENT_SUBSCRIPTION } from '../eventSubscription/resource.ts';
import { LAST_CREATED, type Order } from '../order.ts';
import { isoTime, type Resource } from '../resource.ts';

const FIELDS = ['id', 'type', 'at', 'attempts', 'status', 'statusCode', 'nextAttemptAt'];

/** The newest first; deliveries of one millisecond in reverse sending order. */
const LAST_NOTED: Order = {
  name: '-createdAt,-ordinal',
  keys: [...LAST_CREATED.keys, { sql: Prisma.sql`t.ordinal`, type: 'bigint', direction: 'desc' }],
};

export const EVENT_DELIVERY: Resource = {
  name: 'eventDelivery',
  noun: 'delivery',
  table: Prisma.sql`event_deliveries`,
  place: Prisma.sql`'/api/event-subscriptions/' || t.subscription_id || '/deliveries'`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    type: { sql: Prisma.sql`t.type` },
    at: { sql: isoTime(Prisma.sql`t.created_at`) },
    attempts: { sql: Prisma.sql`t.attempts` },
    status: { sql: Prisma.sql`t.status` },
    statusCode: { sql: Prisma.sql`t.status_code` },
    nextAttemptAt: { sql: isoTime(Prisma.sql`CASE WHEN t.status = 'pending' THEN t.next_attempt_at END`) },
    error: { sql: Prisma.sql`t.error` },
    subject: { sql: Prisma.sql`t.subject` },
    data: { sql: Prisma.sql`t.data` },
  },
  defaults: { list: FIELDS, single: FIELDS },
  filters: {
    status: {
      description: 'pending, delivered or failed',
      expected: 'pending, delivered or failed',
      where: (text) => (['pending', 'delivered', 'failed'].includes(text) ? Prisma.sql`t.status = ${text}` : undefined),
    },
    type: { description: 'the type of the event', expected: 'a text', where: (text) => Prisma.sql`t.type = ${text}` },
  },
  flags: {},
  scope: { eventSubscriptionId: { column: Prisma.sql`t.subscription_id`, parent: EVENT_SUBSCRIPTION } },
  order: LAST_NOTED,
};

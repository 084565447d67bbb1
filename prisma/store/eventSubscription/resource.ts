import { type EventFilter, shownEventFilter } from '../../../domain/event/eventFilter.ts';
import { Prisma } from '../../generated/client.ts';
import { column } from '../column.ts';
import { LAST_CREATED } from '../order.ts';
import { isoTime, person, type Resource } from '../resource.ts';

const FIELDS = ['id', 'url', 'events', 'filterBy', 'isActive', 'disabledReason', 'createdAt', 'updatedAt'];

/** There is no field for the secret, which is shown only once. */
export const EVENT_SUBSCRIPTION: Resource = {
  name: 'eventSubscription',
  noun: 'event subscription',
  table: Prisma.sql`event_subscriptions`,
  place: Prisma.sql`'/api/event-subscriptions/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    url: { sql: Prisma.sql`t.url` },
    events: { sql: Prisma.sql`t.events` },
    filterBy: { sql: Prisma.sql`t.filter_by`, present: (value) => shownEventFilter(value as unknown as EventFilter) },
    isActive: { sql: Prisma.sql`t.is_active` },
    disabledReason: { sql: Prisma.sql`t.disabled_reason` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    createdBy: { sql: person(Prisma.sql`t.created_by_user_id`) },
  },
  defaults: { list: FIELDS, single: FIELDS },
  filters: {},
  flags: {},
  order: LAST_CREATED,
  changes: {
    url: column('url'),
    events: (value) => Prisma.sql`events = ${value as string[]}::text[]`,
    filterBy: column('filter_by', 'jsonb'),
    // Enabling it again clears the reason for which it was disabled.
    isActive: (value) => Prisma.sql`is_active = ${value}::boolean, disabled_reason = NULL`,
  },
};

/** Also changes the secret, sealed in Base64. */
export const EVENT_SUBSCRIPTION_TO_SEAL: Resource = {
  ...EVENT_SUBSCRIPTION,
  changes: { ...EVENT_SUBSCRIPTION.changes, sealed: column('secret', 'bytea'), keyId: column('key_id') },
};

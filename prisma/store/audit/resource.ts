import { Prisma } from '../../generated/client.ts';
import { LAST_CREATED, type Order } from '../order.ts';
import { enumFilter, equalFilter, isoTime, type Resource, timeFilter, uuidFilter } from '../resource.ts';
import { OUTCOMES } from './entries.ts';

const FIELDS = [
  'id',
  'at',
  'actor',
  'action',
  'resourceType',
  'resourceId',
  'resourceName',
  'outcome',
  'address',
  'requestId',
];

const LAST_FIRST: Order = { name: '-at', keys: [{ ...LAST_CREATED.keys[0], sql: Prisma.sql`t.at` }] };

/** Entries change only once, to record the outcome. */
export const AUDIT_ENTRY: Resource = {
  name: 'auditEntry',
  noun: 'audit entry',
  table: Prisma.sql`audit_entries`,
  place: Prisma.sql`'/api/audit-log'`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    at: { sql: isoTime(Prisma.sql`t.at`) },
    actor: {
      sql: Prisma.sql`CASE t.actor_type
        WHEN 'user' THEN json_build_object('type', 'user', 'id', t.actor_id,
          'name', (SELECT u.name FROM users u WHERE u.id = t.actor_id))
        WHEN 'apiKey' THEN json_build_object('type', 'apiKey', 'id', t.actor_id,
          'name', (SELECT k.name FROM api_keys k WHERE k.id = t.actor_id)) END`,
    },
    action: { sql: Prisma.sql`t.action` },
    resourceType: { sql: Prisma.sql`t.resource_type` },
    resourceId: { sql: Prisma.sql`t.resource_id` },
    resourceName: { sql: Prisma.sql`t.resource_name` },
    outcome: { sql: Prisma.sql`t.outcome` },
    address: { sql: Prisma.sql`t.address` },
    requestId: { sql: Prisma.sql`t.request_id` },
  },
  defaults: { list: FIELDS, single: FIELDS },
  filters: {
    actor: uuidFilter('By this person or API key', (id) => Prisma.sql`t.actor_id = ${id}`),
    action: equalFilter('This operation, by its operationId', Prisma.sql`t.action`),
    resourceType: equalFilter('On a resource of this type', Prisma.sql`t.resource_type`),
    resourceId: equalFilter('On this resource', Prisma.sql`t.resource_id`),
    outcome: enumFilter('With this outcome', Prisma.sql`t.outcome`, OUTCOMES),
    after: timeFilter('After this time', Prisma.sql`t.at`, 'after'),
    before: timeFilter('Before this time', Prisma.sql`t.at`, 'before'),
  },
  flags: {},
  order: LAST_FIRST,
};

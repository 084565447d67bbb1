import { Prisma } from '../../generated/client.ts';
import { LAST_CREATED } from '../order.ts';
import { isoTime, person, type Resource, uuidFilter } from '../resource.ts';

const FIELDS = [
  'id',
  'name',
  'prefix',
  'permissions',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'previousValidUntil',
  'createdBy',
];

/** Keys that are not revoked, including expired ones. There is no field for the key itself. */
export const API_KEY: Resource = {
  name: 'apiKey',
  noun: 'API key',
  table: Prisma.sql`api_keys`,
  place: Prisma.sql`'/api/api-keys/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    prefix: { sql: Prisma.sql`t.prefix` },
    permissions: { sql: Prisma.sql`t.permissions` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    expiresAt: { sql: isoTime(Prisma.sql`t.expires_at`) },
    lastUsedAt: { sql: isoTime(Prisma.sql`t.last_used_at`) },
    previousValidUntil: {
      sql: isoTime(Prisma.sql`CASE WHEN t.previous_valid_until > now() THEN t.previous_valid_until END`),
    },
    createdBy: { sql: person(Prisma.sql`t.created_by_user_id`) },
  },
  defaults: { list: FIELDS, single: FIELDS },
  filters: {
    createdById: uuidFilter('Made by this person', (id) => Prisma.sql`t.created_by_user_id = ${id}`),
  },
  flags: {},
  visible: () => Prisma.sql`t.revoked_at IS NULL`,
  order: LAST_CREATED,
  softDelete: () => Prisma.sql`revoked_at = now()`,
};

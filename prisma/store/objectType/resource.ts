import { Prisma } from '../../generated/client.ts';
import type { Order } from '../order.ts';
import { isoTime, person, type Resource } from '../resource.ts';

export const ENABLED = Prisma.sql`t.is_enabled`;

const BY_NAME: Order = { name: 'name', keys: [{ sql: Prisma.sql`t.name`, type: 'text', direction: 'asc' }] };

export const OBJECT_TYPE: Resource = {
  name: 'objectType',
  noun: 'entity type',
  hasTag: true,
  usedAs: 'objectType',
  table: Prisma.sql`object_types`,
  place: Prisma.sql`'/api/object-types/' || t.id`,
  param: 'id',
  keys: { slug: Prisma.sql`t.slug` },
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    slug: { sql: Prisma.sql`t.slug` },
    description: { sql: Prisma.sql`t.description` },
    attributeSchema: { sql: Prisma.sql`t.attribute_schema`, large: { orNull: true } },
    stateSchema: { sql: Prisma.sql`t.state_schema`, large: { orNull: true } },
    allowUnknownAttributes: { sql: Prisma.sql`t.allow_unknown_attributes` },
    isEnabled: { sql: Prisma.sql`t.is_enabled` },
    managedByCode: { sql: Prisma.sql`t.managed_by_code` },
    owner: { sql: Prisma.sql`t.applied_owner` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    createdBy: { sql: person(Prisma.sql`t.created_by_user_id`) },
    countObjects: {
      sql: Prisma.sql`(SELECT count(*) FROM objects o
        WHERE o.workspace_id = t.workspace_id AND o.object_type_id = t.id AND o.deleted_at IS NULL)`,
    },
  },
  defaults: { list: ['id', 'name', 'slug'], single: ['id', 'name', 'slug'] },
  filters: {},
  flags: {},
  order: BY_NAME,
};

import { Prisma } from '../../generated/client.ts';
import { LAST_UPDATED } from '../order.ts';
import { isoTime, person, type Resource } from '../resource.ts';
import { stateHistorySql } from './stateHistory.ts';

/** How much of its history an expansion shows; the whole of it has an operation. */
const SHOWN_CHANGES = 50;

export const OBJECT: Resource = {
  name: 'object',
  noun: 'entity',
  table: Prisma.sql`objects`,
  place: Prisma.sql`'/api/objects/' || t.id`,
  param: 'id',
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    state: { sql: Prisma.sql`t.state` },
    objectTypeId: { sql: Prisma.sql`t.object_type_id` },
    attributes: { sql: Prisma.sql`t.attributes`, large: {} },
    objectType: {
      sql: Prisma.sql`(SELECT json_build_object('id', y.id, 'name', y.name, 'slug', y.slug)
        FROM object_types y WHERE y.id = t.object_type_id)`,
    },
    owner: { sql: person(Prisma.sql`t.owner_user_id`) },
    // Null where an API key made it.
    createdBy: { sql: person(Prisma.sql`t.created_by_user_id`) },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    stateHistory: { sql: stateHistorySql(Prisma.sql`t.id`, SHOWN_CHANGES), large: {} },
  },
  defaults: { list: ['id', 'name', 'state', 'objectTypeId'], single: ['id', 'name', 'state', 'objectTypeId'] },
  filters: {},
  flags: {},
  visible: () => Prisma.sql`t.deleted_at IS NULL`,
  order: LAST_UPDATED,
  softDelete: Prisma.sql`deleted_at = now(), updated_at = now(), revision = t.revision + 1`,
};

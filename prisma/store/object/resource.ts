import { authorOf } from '../../../domain/object/author.ts';
import { Prisma } from '../../generated/client.ts';
import { LAST_UPDATED } from '../order.ts';
import { isoTime, person, type Resource } from '../resource.ts';
import { startersOfChange } from '../startersOfChange.ts';

/** Number of history entries in an expansion; a separate operation returns all. */
export const SHOWN_CHANGES = 50;

const LIVING = Prisma.sql`t.deleted_at IS NULL`;
const CHANGES = Prisma.sql`object_state_changes`;

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
    createdBy: { sql: person(Prisma.sql`t.created_by_user_id`) },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    deletedAt: { sql: isoTime(Prisma.sql`t.deleted_at`) },
    stateHistory: { sql: stateHistorySql(Prisma.sql`t.id`, SHOWN_CHANGES), large: {} },
  },
  defaults: { list: ['id', 'name', 'state', 'objectTypeId'], single: ['id', 'name', 'state', 'objectTypeId'] },
  filters: {},
  flags: { deleted: 'in a list the deleted entities, and no others; a single one also where it is deleted' },
  visible: (flags) => (flags.has('deleted') ? Prisma.sql`true` : LIVING),
  // Deleted entities have their own index: otherwise a page of them would sort all entities.
  listed: (flags) => (flags.has('deleted') ? Prisma.sql`t.deleted_at IS NOT NULL` : LIVING),
  order: LAST_UPDATED,
  softDelete: (viewer) => Prisma.sql`deleted_at = now(), updated_at = now(), revision = t.revision + 1,
    starters = ${startersOfChange(viewer.workspaceId, authorOf(viewer))}`,
};

/** The newest moves as a JSON array. `changes`: rows of object_state_changes, if not all are wanted. */
export function stateHistorySql(objectId: Prisma.Sql, limit: number, changes = CHANGES): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(json_agg(json_build_object('id', h.id, 'from', h.from_state, 'to', h.to_state,
      'reason', h.reason, 'changedBy', json_build_object('type', h.changed_by_type, 'id', h.changed_by_id,
        'name', CASE h.changed_by_type
          WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = h.changed_by_id)
          WHEN 'apiKey' THEN (SELECT k.name FROM api_keys k WHERE k.id = h.changed_by_id)
          ELSE (SELECT e.name FROM executions e WHERE e.id = h.changed_by_id) END),
      'changedAt', ${isoTime(Prisma.sql`h.changed_at`)}) ORDER BY h.revision DESC), '[]')
    FROM (SELECT * FROM ${changes} c WHERE c.object_id = ${objectId}
      ORDER BY c.revision DESC LIMIT ${limit}::int) h)`;
}

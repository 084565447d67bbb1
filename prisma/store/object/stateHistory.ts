import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notFound } from '../readResource.ts';
import { isoTime } from '../resource.ts';
import { rowOf } from '../rows.ts';
import { OBJECT } from './resource.ts';

/** The newest moves of the entity as a JSON array; those that made them are named where they still are there. */
export function stateHistorySql(objectId: Prisma.Sql, limit: number): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(json_agg(json_build_object('id', h.id, 'from', h.from_state, 'to', h.to_state,
      'reason', h.reason, 'changedBy', json_build_object('type', h.changed_by_type, 'id', h.changed_by_id,
        'name', CASE h.changed_by_type
          WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = h.changed_by_id)
          WHEN 'apiKey' THEN (SELECT k.name FROM api_keys k WHERE k.id = h.changed_by_id)
          ELSE (SELECT e.name FROM executions e WHERE e.id = h.changed_by_id) END),
      'changedAt', ${isoTime(Prisma.sql`h.changed_at`)}) ORDER BY h.revision DESC), '[]')
    FROM (SELECT * FROM object_state_changes c WHERE c.object_id = ${objectId}
      ORDER BY c.revision DESC LIMIT ${limit}::int) h)`;
}

/** The newest moves of one entity. Throws NOT_FOUND. */
export async function readStateHistory(database: Database, viewer: Viewer, id: string, limit: number): Promise<Json> {
  // Raw: one statement tells an entity without moves from one that is not there.
  const [row] = await rowsOf<{ history: Json }>(
    database,
    Prisma.sql`SELECT ${stateHistorySql(Prisma.sql`t.id`, limit)} AS history FROM objects t
      WHERE ${rowOf(OBJECT, viewer, id, {})}`,
  );
  if (!row) throw notFound(OBJECT);
  return row.history;
}

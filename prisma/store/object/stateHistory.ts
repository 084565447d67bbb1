import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';

/** The newest moves of the entity as a JSON array, with the names of their authors, if they still exist. */
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

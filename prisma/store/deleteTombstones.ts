import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { behind, OLDEST, type Swept } from './operation/sweepPlaces.ts';

const FORGOTTEN = {
  deleted_workflows: {
    isNeeded: Prisma.sql`EXISTS (SELECT FROM executions e WHERE e.workflow_id = d.id)`,
    // Versions have no foreign key to their workflow.
    alsoDeletes: Prisma.sql`, versions AS (DELETE FROM workflow_versions v USING gone WHERE v.workflow_id = gone.id)`,
  },
  deleted_connections: {
    isNeeded: Prisma.sql`EXISTS (SELECT FROM execution_secrets x WHERE x.connection_id = d.id)`,
    alsoDeletes: Prisma.empty,
  },
} as const;

export type TombstoneTable = keyof typeof FORGOTTEN;
export const TOMBSTONE_TABLES = Object.keys(FORGOTTEN) as TombstoneTable[];

/** Waits an hour after the deletion, because earlier requests may still write executions. Safe in several processes. */
export async function deleteTombstones(
  database: Database,
  table: TombstoneTable,
  limit: number,
  from = OLDEST,
): Promise<Swept> {
  const { isNeeded, alsoDeletes } = FORGOTTEN[table];
  const [row] = await database.$queryRaw<Swept[]>(Prisma.sql`
    WITH read AS MATERIALIZED (
      SELECT d.id, d.deleted_at FROM ${Prisma.raw(table)} d
      WHERE ${behind(Prisma.sql`d.deleted_at`, Prisma.sql`d.id`, from)} AND d.deleted_at < now() - interval '1 hour'
      ORDER BY d.deleted_at, d.id LIMIT ${limit}::int
    ), gone AS (
      DELETE FROM ${Prisma.raw(table)} WHERE id IN (
        SELECT d.id FROM read r JOIN ${Prisma.raw(table)} d ON d.id = r.id WHERE NOT ${isNeeded} FOR UPDATE OF d SKIP LOCKED)
      RETURNING id
    ) ${alsoDeletes}
    SELECT (SELECT json_build_object('at', r.deleted_at::text, 'id', r.id) FROM read r
        ORDER BY r.deleted_at DESC, r.id DESC LIMIT 1) AS reached,
      (SELECT count(*) FROM read) = ${limit}::int AS "hasMore"`);
  return row ?? { reached: null, hasMore: false };
}

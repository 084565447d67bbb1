import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notFound } from '../readResource.ts';
import { rowOf } from '../rows.ts';
import { OBJECT, stateHistorySql } from './resource.ts';

/** The newest moves of one entity. Throws NOT_FOUND. */
export async function readStateHistory(database: Database, viewer: Viewer, id: string, limit: number): Promise<Json> {
  // Raw: one statement distinguishes an entity without moves from an unknown one.
  const [row] = await rowsOf<{ history: Json }>(
    database,
    Prisma.sql`SELECT ${stateHistorySql(Prisma.sql`t.id`, limit)} AS history FROM objects t
      WHERE ${rowOf(OBJECT, viewer, id, {})}`,
  );
  if (!row) throw notFound(OBJECT);
  return row.history;
}

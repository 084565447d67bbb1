import type { Viewer } from '../../../domain/access/viewer.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { cursorBehind, idOfCursor } from '../idCursor.ts';
import type { ListPage } from '../pageOfAll.ts';
import { notFound } from '../readResource.ts';
import { rowOf } from '../rows.ts';
import { OBJECT, stateHistorySql } from './resource.ts';

/** Returns moves of one entity, newest first. Throws NOT_FOUND, and VALIDATION_FAILED for a cursor of another list. */
export async function readStateHistory(
  database: Database,
  viewer: Viewer,
  id: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ListPage<StateChange>> {
  const list = `state history of ${id.toLowerCase()}`;
  const last = cursor === undefined ? undefined : idOfCursor(list, cursor, 'uuid');
  // Raw: distinguishes an entity without moves from an unknown one.
  const history = stateHistorySql(Prisma.sql`t.id`, limit + 1, last === undefined ? undefined : changesBefore(last));
  const [row] = await rowsOf<{ history: StateChange[] }>(
    database,
    Prisma.sql`SELECT ${history} AS history FROM objects t WHERE ${rowOf(OBJECT, viewer, id, {})}`,
  );
  if (!row) throw notFound(OBJECT);
  const items = row.history.slice(0, limit);
  const end = row.history.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: end && cursorBehind(list, end.id) };
}

type StateChange = JsonObject & { id: string };

function changesBefore(id: string): Prisma.Sql {
  return Prisma.sql`(SELECT a.* FROM object_state_changes a JOIN object_state_changes b
    ON b.object_id = a.object_id AND a.revision < b.revision WHERE b.id = ${id}::uuid AND b.object_id = t.id)`;
}

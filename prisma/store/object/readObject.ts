import type { Viewer } from '../../../domain/access/viewer.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { type ObjectType, objectTypeSql } from '../objectType/readObjectType.ts';
import { notFound } from '../readResource.ts';
import { rowOf } from '../rows.ts';
import { OBJECT } from './resource.ts';

export interface ObjectRow {
  id: string;
  name: string;
  state: string | null;
  attributes: JsonObject;
  ownerId: string | null;
  revision: number;
}

export interface StoredObject extends ObjectRow {
  type: ObjectType;
}

export const OBJECT_ROW = Prisma.sql`t.id, t.name, t.state, t.attributes, t.owner_user_id AS "ownerId", t.revision`;

/** Throws NOT_FOUND. `resource` decides which entities are visible; default: those not deleted. */
export async function readObject(
  database: Database,
  viewer: Viewer,
  id: string,
  resource = OBJECT,
): Promise<StoredObject> {
  const [row] = await rowsOf<StoredObject>(
    database,
    Prisma.sql`SELECT ${OBJECT_ROW},
      (SELECT ${objectTypeSql()} FROM object_types y WHERE y.id = t.object_type_id) AS type
    FROM objects t WHERE ${rowOf(resource, viewer, id, {})}`,
  );
  if (!row) throw notFound(OBJECT);
  return row;
}

export async function namesOf(
  database: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const where = { workspaceId, id: { in: [...new Set(ids.map((id) => id.toLowerCase()))] }, deletedAt: null };
  const rows = await database.object.findMany({ where, select: { id: true, name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

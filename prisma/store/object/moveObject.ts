import type { Viewer } from '../../../domain/access/viewer.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Author } from '../../../domain/object/author.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { Item } from '../items.ts';
import { typeIsStill } from '../objectType/readObjectType.ts';
import type { ReadOptions } from '../readResource.ts';
import type { Resource } from '../resource.ts';
import { startersOfChange } from '../startersOfChange.ts';
import { transition } from '../transition.ts';
import type { StoredObject } from './readObject.ts';
import { OBJECT, SHOWN_CHANGES, stateHistorySql } from './resource.ts';

export interface ObjectMove {
  id: string;
  to: string;
  reason: string | null;
  by: Author;
  /** All attributes of the entity after the move; absent: unchanged. */
  attributes?: JsonObject;
}

/** The statement of a move cannot see the entry that it writes, so its answer takes that from `recorded`. */
const MOVED: Resource = {
  ...OBJECT,
  fields: {
    ...OBJECT.fields,
    stateHistory: {
      sql: stateHistorySql(
        Prisma.sql`t.id`,
        SHOWN_CHANGES,
        Prisma.sql`(SELECT * FROM object_state_changes UNION ALL SELECT * FROM recorded)`,
      ),
      large: {},
    },
  },
};

/** Undefined, with no change, if entity or type has changed since it was read, or an earlier try has made this move. */
export async function moveObject(
  database: Database,
  viewer: Viewer,
  { id, state, revision, type }: StoredObject,
  move: ObjectMove,
  options: ReadOptions,
): Promise<Item | undefined> {
  const { moved, item } = await transition(
    database,
    viewer,
    MOVED,
    id,
    {
      state: Prisma.sql`coalesce(t.state, '')`,
      from: [state ?? ''],
      when: Prisma.sql`t.revision = ${revision}::int
        AND NOT EXISTS (SELECT FROM object_state_changes c WHERE c.object_id = t.id AND c.id = ${move.id}::uuid)`,
      guard: typeIsStill(type),
      set: [
        Prisma.sql`state = ${move.to}`,
        Prisma.sql`revision = t.revision + 1`,
        Prisma.sql`starters = ${startersOfChange(viewer.workspaceId, move.by)}`,
        ...(move.attributes === undefined ? [] : [Prisma.sql`attributes = ${JSON.stringify(move.attributes)}::jsonb`]),
      ],
      record: Prisma.sql`INSERT INTO object_state_changes
          (object_id, revision, id, from_state, to_state, reason, changed_by_type, changed_by_id)
        SELECT m.id, m.revision, ${move.id}::uuid, p.state, m.state, ${move.reason}, ${move.by.type}, ${move.by.id}::uuid
        FROM moved m JOIN present p ON p.id = m.id RETURNING *`,
    },
    options,
  );
  return moved ? item : undefined;
}

export async function hasMoved(database: Database, objectId: string, moveId: string): Promise<boolean> {
  return (await database.objectStateChange.count({ where: { objectId, id: moveId } })) > 0;
}

import type { Viewer } from '../../../domain/access/viewer.ts';
import { authorOf } from '../../../domain/object/author.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { Item } from '../items.ts';
import { typeIsStill } from '../objectType/readObjectType.ts';
import type { ReadOptions } from '../readResource.ts';
import type { Resource } from '../resource.ts';
import { startersOfChange } from '../startersOfChange.ts';
import { transition } from '../transition.ts';
import { readObject, type StoredObject } from './readObject.ts';
import { OBJECT } from './resource.ts';

const EVEN_DELETED: Resource = { ...OBJECT, visible: () => Prisma.sql`true` };

export function readDeletable(database: Database, viewer: Viewer, id: string): Promise<StoredObject> {
  return readObject(database, viewer, id, EVEN_DELETED);
}

export async function restore(
  database: Database,
  viewer: Viewer,
  { id, revision, type }: StoredObject,
  options: ReadOptions,
): Promise<Item | undefined> {
  const { moved, state, item } = await transition(
    database,
    viewer,
    EVEN_DELETED,
    id,
    {
      state: Prisma.sql`t.deleted_at IS NULL`,
      from: ['false'],
      when: Prisma.sql`t.revision = ${revision}::int`,
      guard: typeIsStill(type),
      set: [
        Prisma.sql`deleted_at = NULL`,
        Prisma.sql`revision = t.revision + 1`,
        Prisma.sql`starters = ${startersOfChange(viewer.workspaceId, authorOf(viewer))}`,
      ],
    },
    options,
  );
  return moved || state === 'true' ? item : undefined;
}

import type { Viewer } from '../../domain/access/viewer.ts';
import { isUuid } from '../../domain/isUuid.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { compiledType } from '../../domain/object/compiledTypes.ts';
import { isReference } from '../../domain/object/subschemas.ts';
import { ownMember } from '../../domain/ownMember.ts';
import type { Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { type BatchObject, objectBatches } from '../../prisma/store/object/objectBatches.ts';
import { objectConditions } from '../../prisma/store/object/objectFilters.ts';
import { namesOf } from '../../prisma/store/object/readObject.ts';
import { OBJECT } from '../../prisma/store/object/resource.ts';
import type { ObjectType } from '../../prisma/store/objectType/readObjectType.ts';
import { isoTime } from '../../prisma/store/resource.ts';
import { listedRows } from '../../prisma/store/rows.ts';

export interface ExportOptions {
  fields: readonly string[];
  withNames: boolean;
  states?: readonly string[] | undefined;
  search?: string | undefined;
}

const COLUMNS = Prisma.sql`, ${isoTime(Prisma.sql`t.created_at`)} AS "createdAt", ${isoTime(Prisma.sql`t.updated_at`)} AS "updatedAt",
  (SELECT u.name FROM users u WHERE u.id = t.owner_user_id) AS "ownerName"`;

interface ExportedObject extends BatchObject {
  createdAt: string;
  updatedAt: string;
  ownerName: string | null;
}

/** Yields the entities of a type as flat rows, oldest first; only one batch is in memory. */
export async function* exportRows(
  database: Database,
  viewer: Viewer,
  type: ObjectType,
  { fields, withNames, states, search }: ExportOptions,
): AsyncGenerator<JsonObject[]> {
  const conditions = objectConditions(viewer.workspaceId, { objectTypeId: type.id, states, search });
  const where = listedRows(OBJECT, viewer, { conditions });
  const { named: attributes, attributeSchema } = compiledType(type.id, type.version, type.rules);
  const isNamed = (field: string) => isReference(attributeSchema ?? {}, attributes.schemas.get(field));
  const references = withNames ? fields.filter(isNamed) : [];
  for await (const batch of objectBatches<Omit<ExportedObject, keyof BatchObject>>(database, where, COLUMNS)) {
    const ids = batch.flatMap(({ attributes }) => references.flatMap((name) => ownMember(attributes, name) ?? []));
    const named = await namesOf(database, viewer.workspaceId, ids.map(String).filter(isUuid));
    const nameOf = (value: Json | undefined) => named.get(String(value).toLowerCase()) ?? null;
    yield batch.map(({ id, name, state, attributes, createdAt, updatedAt, ownerName }) => {
      const values = new Map<string, Json>();
      for (const field of fields) values.set(field, ownMember(attributes, field) ?? null);
      for (const field of references) {
        const value = ownMember(attributes, field);
        values.set(`${field}Name`, Array.isArray(value) ? value.map(nameOf) : nameOf(value));
      }
      if (withNames) values.set('ownerName', ownerName);
      // The fixed columns win over attributes of the same name.
      return { ...Object.fromEntries(values), id, name, state, createdAt, updatedAt };
    });
  }
}

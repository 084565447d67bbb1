import type { JsonObject } from '../../../domain/json.ts';
import { updateObject as update } from '../../../engine/objects/updateObject.ts';
import { OBJECT } from '../../../prisma/store/object/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import type { Operation } from '../../operation.ts';

export const updateObject: Operation<'updateObject'> = async ({ caller, params, query, body, services }) => {
  const { database, config } = services;
  const { attributes, ...members } = body;
  checkReadQuery(OBJECT, query);
  const change = { ...members, attributes: attributes as JsonObject | undefined };
  await update(database, caller, params.id, change, config.OBJECT_MAX_BYTES);
  return readResource(database, caller, OBJECT, params.id, { query });
};

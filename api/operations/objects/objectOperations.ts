import type { JsonObject } from '../../../domain/json.ts';
import { authorOf } from '../../../domain/object/author.ts';
import { createObject as create } from '../../../engine/objects/createObject.ts';
import { restoreObject as restore } from '../../../engine/objects/restoreObject.ts';
import { updateObject as update } from '../../../engine/objects/updateObject.ts';
import { OBJECT } from '../../../prisma/store/object/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import type { Operation } from '../../operation.ts';
import { namedType } from './namedType.ts';
import { objectChecks } from './objectChecks.ts';

export const createObject: Operation<'createObject'> = async ({ caller, query, body, resourceId, services }) => {
  const { database } = services;
  const { name, attributes = {}, state, ownerId } = body;
  checkReadQuery(OBJECT, query);
  const object = {
    id: resourceId,
    type: namedType(body),
    name,
    attributes: attributes as JsonObject,
    state,
    ownerId,
    by: authorOf(caller),
  };
  await create(database, caller.workspaceId, object, objectChecks(services, caller));
  return readResource(database, caller, OBJECT, resourceId, { query });
};

export const updateObject: Operation<'updateObject'> = async ({ caller, params, query, body = {}, services }) => {
  const { database } = services;
  const { attributes, ...members } = body;
  checkReadQuery(OBJECT, query);
  const change = { ...members, attributes: attributes as JsonObject | undefined };
  await update(database, caller, params.id, change, objectChecks(services, caller));
  return readResource(database, caller, OBJECT, params.id, { query });
};

export const restoreObject: Operation<'restoreObject'> = ({ caller, params, query: given, services }) => {
  const { matchField, ...query } = given;
  const { MAX_ANSWER_BYTES: answerBytes } = services.config;
  const checks = objectChecks(services, caller);
  return restore(services.database, caller, params.id, checks, { query, answerBytes, matchField });
};

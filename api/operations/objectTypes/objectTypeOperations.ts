import type { JsonObject } from '../../../domain/json.ts';
import { upsertObjectType as upsert } from '../../../engine/objects/upsertObjectType.ts';
import type { ListOptions } from '../../../prisma/store/listResource.ts';
import { ENABLED, OBJECT_TYPE } from '../../../prisma/store/objectType/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import { userIdOf } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';
import { rulesCheck } from './rulesCheck.ts';

export const upsertObjectType: Operation<'upsertObjectType'> = async (request) => {
  const { caller, query, body, resourceId, services, expected } = request;
  const { database } = services;
  const { dryRun = false, managedByCode = true, attributeSchema, ...members } = body;
  checkReadQuery(OBJECT_TYPE, query);
  const { id, name, created } = await upsert(
    {
      database,
      workspaceId: caller.workspaceId,
      newId: resourceId,
      createdByUserId: userIdOf(caller),
      problemsOf: rulesCheck(services, caller),
      check: services.evaluation.attributesCheck(caller.workspaceId),
      dryRun,
      expected,
    },
    { ...members, managedByCode, attributeSchema: attributeSchema as JsonObject | null | undefined },
  );
  const answerFields = dryRun ? { created, dryRun } : { created };
  if (id === null) return { id, name, slug: body.slug, ...answerFields };
  return { ...(await readResource(database, caller, OBJECT_TYPE, id, { query })), ...answerFields };
};

export function enabledOnly({ query }: ResourceRequest): Pick<ListOptions, 'conditions'> {
  const { includeDisabled = false } = query as { includeDisabled?: boolean };
  return includeDisabled ? {} : { conditions: [ENABLED] };
}

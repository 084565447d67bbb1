import { isUuid } from '../../../domain/isUuid.ts';
import { appIdOfSlug } from '../../../prisma/store/app/manifests.ts';
import { APP } from '../../../prisma/store/app/resource.ts';
import { deleteResource } from '../../../prisma/store/deleteResource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';
import { storeContent } from './storeContent.ts';

/** By id or slug. */
export const deleteApp: Operation<'deleteApp'> = async ({ caller, params, services, expected, auditDetails }) => {
  const { database } = services;
  const id = isUuid(params.app) ? params.app : await appIdOfSlug(database, caller.workspaceId, params.app);
  if (id === undefined) throw notFound(APP);
  auditDetails.resourceId = id;
  await deleteResource(database, caller, APP, id, { expected });
  return { id, deleted: true };
};

export const putAppContent: Operation<'putAppContent'> = async ({ caller, params, rawBody, services }) => {
  const digest = await storeContent(services, caller.workspaceId, rawBody, params.digest);
  return { digest, bytes: rawBody.length };
};

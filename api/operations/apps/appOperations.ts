import { createHash } from 'node:crypto';
import { isUuid } from '../../../domain/isUuid.ts';
import { Problem } from '../../../domain/problem.ts';
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
  const digest = createHash('sha256').update(rawBody).digest('hex');
  if (digest !== params.digest) {
    throw new Problem('VALIDATION_FAILED', `The SHA-256 of the body is ${digest}, not the digest of the path`, {
      errors: [{ path: 'digest', message: 'expected the SHA-256 of the body' }],
    });
  }
  await storeContent(services, caller.workspaceId, digest, rawBody);
  return { digest, bytes: rawBody.length };
};

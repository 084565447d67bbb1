import { createHash } from 'node:crypto';
import { isUuid } from '../../../domain/isUuid.ts';
import { Problem } from '../../../domain/problem.ts';
import { putContent } from '../../../prisma/store/app/contents.ts';
import { appIdOfSlug } from '../../../prisma/store/app/manifests.ts';
import { APP } from '../../../prisma/store/app/resource.ts';
import { deleteResource } from '../../../prisma/store/deleteResource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';

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
  const { config, database } = services;
  const digest = createHash('sha256').update(rawBody).digest('hex');
  if (digest !== params.digest) {
    throw new Problem('VALIDATION_FAILED', `The SHA-256 of the body is ${digest}, not the digest of the path`, {
      errors: [{ path: 'digest', message: 'expected the SHA-256 of the body' }],
    });
  }
  const maxUploads = config.MAX_APP_UPLOADS;
  const isStored = await putContent(database, caller.workspaceId, {
    digest,
    content: new Uint8Array(rawBody),
    maxUploads,
  });
  if (isStored) return { digest, bytes: rawBody.length };
  const detail = `The workspace has ${maxUploads} contents that no app names, which is the maximum (MAX_APP_UPLOADS)`;
  throw new Problem('CONFLICT', `${detail}: upsert their apps, or wait until they are deleted after a day`);
};

import { insertApiKey } from '../../../prisma/store/apiKey/insertApiKey.ts';
import { API_KEY } from '../../../prisma/store/apiKey/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { makeApiKey } from '../../access/apiKey.ts';
import { futureTime } from '../../access/futureTime.ts';
import { refuseBeyond } from '../../access/refuseBeyond.ts';
import type { Operation } from '../../operation.ts';

/** The key itself is in this answer alone. */
export const createApiKey: Operation<'createApiKey'> = async ({ caller, body, resourceId: id, services }) => {
  const { database } = services;
  const { name, permissions } = body;
  refuseBeyond(caller, permissions);
  const { key, hash, prefix } = makeApiKey();
  const expiresAt = futureTime('expiresAt', body.expiresAt);
  const createdByUserId = caller.kind === 'user' ? caller.userId : null;
  const made = { id, name, hash, prefix, permissions, expiresAt, createdByUserId };
  await insertApiKey(database, caller.workspaceId, made);
  return { ...(await readResource(database, caller, API_KEY, id, {})), apiKey: key };
};

import { Problem } from '../../../domain/problem.ts';
import { API_KEY } from '../../../prisma/store/apiKey/resource.ts';
import { insertApiKey, rotateApiKey as rotate } from '../../../prisma/store/apiKey/writeApiKey.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { makeApiKey } from '../../access/apiKey.ts';
import { refuseBeyond } from '../../access/authorize.ts';
import { credentialOf } from '../../access/caller.ts';
import { requireConfirmation } from '../../access/confirmation.ts';
import { futureTime } from '../../access/futureTime.ts';
import type { Operation } from '../../operation.ts';

/** Only this answer contains the key. */
export const createApiKey: Operation<'createApiKey'> = async ({ caller, body, resourceId: id, services }) => {
  const { database } = services;
  const { name, permissions } = body;
  refuseBeyond(caller, permissions);
  await requireConfirmation(services, caller);
  const { key, hash, prefix } = makeApiKey();
  const expiresAt = futureTime('expiresAt', body.expiresAt);
  const made = { id, name, hash, prefix, permissions, expiresAt, madeBy: credentialOf(caller) };
  await insertApiKey(database, caller.workspaceId, made);
  return { ...(await readResource(database, caller, API_KEY, id, {})), apiKey: key };
};

const OTHERS =
  "The API key is another person's. Rotating makes it yours, so their secret cannot stay valid: omit graceMs, or create a key";

export const rotateApiKey: Operation<'rotateApiKey'> = async ({ caller, params, body, resourceId, services }) => {
  const { database } = services;
  const { apiKeyId } = params;
  const { permissions } = await readResource(database, caller, API_KEY, apiKeyId);
  // The caller gets the new secret, so it must have the permissions of the key.
  refuseBeyond(caller, permissions as string[]);
  await requireConfirmation(services, caller);
  const { key, hash, prefix } = makeApiKey();
  const rotation = { id: resourceId, hash, prefix, graceMs: body?.graceMs ?? 0, by: credentialOf(caller) };
  const outcome = await rotate(database, caller.workspaceId, apiKeyId, rotation);
  if (outcome === 'gone') throw new Problem('CONFLICT', 'The API key has expired: create a new one');
  if (outcome === 'others') throw new Problem('CONFLICT', OTHERS);
  return { ...(await readResource(database, caller, API_KEY, apiKeyId)), apiKey: key };
};

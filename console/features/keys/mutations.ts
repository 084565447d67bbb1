import type { Arguments } from 'perdure-client';
import { QUERIES } from '../../app/api/queries.ts';
import { client } from '../../app/session/session.ts';
import { KEY_LIST } from './queries.ts';

export const refreshKeys = (): Promise<void> => QUERIES.invalidateQueries({ queryKey: KEY_LIST });

/** The answer contains the secret, which is shown once. The caller refreshes the list after it shows the secret. */
export const createKey = (body: Arguments<'createApiKey'>['body']) => client.createApiKey({ body });

/** As `createKey`. Without `graceMs` the old secret ends at once. */
export const rotateKey = (apiKeyId: string, graceMs?: number) =>
  client.rotateApiKey({ path: { apiKeyId }, body: graceMs === undefined ? {} : { graceMs } });

export async function revokeKey(apiKeyId: string): Promise<void> {
  await client.revokeApiKey({ path: { apiKeyId } });
  await refreshKeys();
}

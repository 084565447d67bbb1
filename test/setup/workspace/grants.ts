import { v7 } from 'uuid';
import { makeApiKey } from '../../../api/access/apiKey.ts';
import type { Permission } from '../../../domain/access/permission.ts';
import type { Database } from '../../../prisma/client.ts';
import { insertApiKey } from '../../../prisma/store/apiKey/writeApiKey.ts';
import { type Api, api } from '../api/client.ts';
import { stackDatabase } from './workspace.ts';

interface Place {
  workspaceId: string;
  url: string;
  /** Set if it is not the shared stack's. */
  database?: Database;
}

export interface TestKey {
  id: string;
  call: Api;
  key: string;
}

/** Creates an API key of the workspace with only these permissions. */
export async function keyOf({ workspaceId, url, database }: Place, ...permissions: Permission[]): Promise<TestKey> {
  const id = v7();
  const { key, hash, prefix } = makeApiKey();
  await insertApiKey(database ?? stackDatabase(), workspaceId, {
    id,
    name: 'k',
    hash,
    prefix,
    permissions,
    expiresAt: null,
  });
  return { id, key, call: api(url, key) };
}

/** Creates a grant like createGrant, with any expiry. */
export async function grant(
  { workspaceId, database }: Pick<Place, 'workspaceId' | 'database'>,
  agentId: string,
  to: { apiKeyId: string } | { userId: string },
  more: { hourlyMessageCap?: number; expiresAt?: Date } = {},
): Promise<string> {
  const id = v7();
  await (database ?? stackDatabase()).shareGrant.create({ data: { id, workspaceId, agentId, ...to, ...more } });
  return id;
}

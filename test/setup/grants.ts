import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import type { Permission } from '../../domain/access/permission.ts';
import { insertApiKey } from '../../prisma/store/apiKey/insertApiKey.ts';
import { type Api, api } from './client.ts';
import { stackDatabase } from './workspace.ts';

/** A workspace, or a home in one. */
interface Place {
  workspaceId: string;
  url: string;
}

export interface TestKey {
  id: string;
  call: Api;
  /** For who sends requests by itself. */
  key: string;
}

/** An API key of the workspace with these permissions alone. */
export async function keyOf({ workspaceId, url }: Place, ...permissions: Permission[]): Promise<TestKey> {
  const id = v7();
  const { key, hash, prefix } = makeApiKey();
  await insertApiKey(stackDatabase(), workspaceId, { id, name: 'k', hash, prefix, permissions, expiresAt: null });
  return { id, key, call: api(url, key) };
}

/** No operation makes grants yet. */
export async function grant(
  { workspaceId }: Pick<Place, 'workspaceId'>,
  agentId: string,
  to: { apiKeyId: string } | { userId: string },
  more: { hourlyMessageCap?: number; expiresAt?: Date } = {},
): Promise<string> {
  const id = v7();
  await stackDatabase().shareGrant.create({ data: { id, workspaceId, agentId, ...to, ...more } });
  return id;
}

import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';
import { createWorkspace, type WorkspaceCredentials } from '../../../api/access/createWorkspace.ts';
import { createDatabase, type Database } from '../../../prisma/client.ts';
import { inject } from '../stack/inject.ts';

/**
 * The cost of passwords that tests store, a thousandth of the real one, which took half of a run's processor time. A
 * stored hash contains its cost, so logins are equally fast.
 */
export const TEST_HASH_COST = { N: 2 ** 7, r: 8, p: 1 };

let shared: Database | undefined;

afterAll(async () => {
  await shared?.close();
  shared = undefined;
});

/** The database of the shared stack, for data that no operation returns. */
export function stackDatabase(): Database {
  shared ??= createDatabase(inject('stack').databaseUrl, 2, { linkOf: ({ nodeId }) => `link of ${nodeId}` });
  return shared;
}

export interface TestWorkspace extends WorkspaceCredentials {
  url: string;
  password: string;
}

/** Creates a workspace with owner, project and API key. `own` replaces the shared stack. */
export async function makeWorkspace(own?: { url: string; database: Database }): Promise<TestWorkspace> {
  const name = randomUUID();
  const password = `password of ${name}`;
  const email = `owner-${name}@test.local`;
  const made = await createWorkspace(own?.database ?? stackDatabase(), { name, email, password }, TEST_HASH_COST);
  return { ...made, password, url: own?.url ?? inject('stack').url };
}

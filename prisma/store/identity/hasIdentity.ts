import type { Database } from '../../client.ts';

/** Whether the person comes by single sign-on. */
export async function hasIdentity(database: Database, userId: string): Promise<boolean> {
  return (await database.identity.count({ where: { userId } })) > 0;
}

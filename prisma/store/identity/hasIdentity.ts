import type { Database } from '../../client.ts';

export async function hasIdentity(database: Database, userId: string): Promise<boolean> {
  return (await database.identity.count({ where: { userId } })) > 0;
}

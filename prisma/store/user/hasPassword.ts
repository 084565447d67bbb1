import type { Database } from '../../client.ts';

export async function hasPassword(database: Database, userId: string): Promise<boolean> {
  return (await database.user.count({ where: { id: userId, passwordHash: { not: null } } })) === 1;
}

import type { Database } from '../../client.ts';

/** For the operator alone: no workspace. */
export async function findUserByEmail(database: Database, email: string): Promise<{ id: string } | undefined> {
  return (await database.user.findUnique({ where: { email }, select: { id: true } })) ?? undefined;
}

import type { Database } from '../../client.ts';

/** The person has no second factor and no backup codes any more. False where there was none that counted. */
export async function removeSecondFactor(database: Database, userId: string): Promise<boolean> {
  const { count } = await database.secondFactor.deleteMany({ where: { userId, confirmedAt: { not: null } } });
  return count === 1;
}

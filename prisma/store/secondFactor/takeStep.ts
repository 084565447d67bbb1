import type { Database } from '../../client.ts';

/**
 * Uses up a time step of the person's second factor, and those before it. False where it has been used. `confirms`: it is the
 * first code of an enrolment, which counts from now on.
 */
export async function takeStep(database: Database, userId: string, step: number, confirms: boolean): Promise<boolean> {
  const { count } = await database.secondFactor.updateMany({
    where: { userId, lastStep: { lt: step }, confirmedAt: confirms ? null : { not: null } },
    data: { lastStep: step, ...(confirms ? { confirmedAt: new Date() } : {}) },
  });
  return count === 1;
}

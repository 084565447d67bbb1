import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { runsBefore, type StepOfRetry } from './runsBefore.ts';

/** Counts the completions of a step in the executions that this one retries. A copied step counts once, where it ran. */
export async function readCompletions(database: Database, step: StepOfRetry): Promise<number> {
  const [row] = await rowsOf<{ completed: number }>(
    database,
    Prisma.sql`${runsBefore(step)} SELECT count(*)::int AS completed FROM runs WHERE status = 'COMPLETED'`,
  );
  return row?.completed ?? 0;
}

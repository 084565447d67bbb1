import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { StepOfRetry } from './runsBefore.ts';
import { runsSinceCompleted } from './runsSinceCompleted.ts';

/** Returns the retried executions in which the step ran since it last completed, the nearest first. */
export async function readEarlierRuns(database: Database, step: StepOfRetry): Promise<string[]> {
  const rows = await rowsOf<{ executionId: string }>(
    database,
    Prisma.sql`${runsSinceCompleted(step)} SELECT execution_id AS "executionId" FROM since ORDER BY depth`,
  );
  return rows.map(({ executionId }) => executionId);
}

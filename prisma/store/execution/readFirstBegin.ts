import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { StepOfRetry } from './runsBefore.ts';
import { runsSinceCompleted } from './runsSinceCompleted.ts';

/** Returns when a step first began in the retried executions since it last completed (epoch ms); undefined if never. */
export async function readFirstBegin(database: Database, step: StepOfRetry): Promise<number | undefined> {
  const [row] = await rowsOf<{ begun: number | null }>(
    database,
    Prisma.sql`${runsSinceCompleted(step)}
    SELECT floor(extract(epoch FROM min(started_at)) * 1000)::float8 AS begun FROM since`,
  );
  return row?.begun ?? undefined;
}

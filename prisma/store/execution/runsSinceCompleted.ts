import { Prisma } from '../../generated/client.ts';
import { runsBefore, type StepOfRetry } from './runsBefore.ts';

export function runsSinceCompleted(step: StepOfRetry): Prisma.Sql {
  return Prisma.sql`${runsBefore(step)}, since AS (
      SELECT r.execution_id, r.depth, r.started_at FROM runs r
      WHERE NOT EXISTS (SELECT FROM runs c WHERE c.status = 'COMPLETED' AND c.depth <= r.depth)
    )`;
}

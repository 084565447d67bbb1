import { anyUncompared, claimOpenExecutions } from '../../prisma/store/execution/reconcileQueries.ts';
import { endAsEngineReports } from '../executions/endAsEngineReports.ts';
import { rowByRow } from '../rowByRow.ts';
import { BATCH, type Duty, type DutyParts, inRounds } from './duty.ts';

/** Minimum time between two comparisons of an execution with the engine; a waiting execution costs nothing. */
const COMPARE_AGE_MS = 3_600_000;

type Parts = Pick<DutyParts, 'database' | 'engine' | 'feed' | 'log'>;

export function compareOpen(parts: Parts, intervalMs: number): Duty {
  return {
    name: 'compare open executions',
    intervalMs,
    due: (buckets) => anyUncompared(COMPARE_AGE_MS, buckets),
    run: (stopped, repaired, buckets) =>
      inRounds(stopped, async () => {
        const open = await claimOpenExecutions(parts.database, { ageMs: COMPARE_AGE_MS, buckets, limit: BATCH });
        await rowByRow(parts.log, open, (row) => endAsEngineReports(parts, row, () => repaired(1)));
        return open.length === BATCH;
      }),
  };
}

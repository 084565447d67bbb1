import { claimOpenExecutions } from '../../prisma/store/execution/reconcileQueries.ts';
import { endAsEngineReports } from '../executions/endAsEngineReports.ts';
import { rowByRow } from '../rowByRow.ts';
import type { Duty, DutyParts } from './duty.ts';

/** Maximum failed ends per pass; compareOpen finds the others. */
const MAX_BAD_ENDS = 10_000;
/** The time that the first search goes back, and the overlap of later ones: ends may be listed out of order. */
const FIRST_LOOK_BACK_MS = 86_400_000;
const OVERLAP_MS = 60_000;

type Parts = Pick<DutyParts, 'database' | 'engine' | 'feed' | 'log'>;

/**
 * Ends the rows of workflows that were terminated in the Temporal UI, timed out, or failed in their own code. Each
 * search starts before the newest end found: only the engine's clock counts, and its list may lag.
 */
export function endFailedWorkflows(parts: Parts, intervalMs: number): Duty {
  const { database, engine, log } = parts;
  let since: Date | undefined;
  return {
    name: 'end failed executions',
    intervalMs,
    async run(_stopped, repaired) {
      since ??= new Date(Date.now() - FIRST_LOOK_BACK_MS);
      const { executionIds, newest } = await engine.listEndedBadly(since, MAX_BAD_ENDS);
      const open = executionIds.length === 0 ? [] : await claimOpenExecutions(database, { executionIds });
      const allDone = await rowByRow(log, open, (row) => endAsEngineReports(parts, row, () => repaired(1)));
      if (allDone && newest) since = new Date(Math.max(newest.getTime() - OVERLAP_MS, since.getTime()));
    },
  };
}

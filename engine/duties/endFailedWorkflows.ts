import { claimOpenExecutions } from '../../prisma/store/execution/reconcileQueries.ts';
import { endAsEngineReports } from '../executions/endAsEngineReports.ts';
import { rowByRow } from '../rowByRow.ts';
import type { Duty, DutyParts } from './duty.ts';

/** Most failed ends between two passes; compareOpen finds the others. */
const MAX_BAD_ENDS = 10_000;
/** How far back the first look for bad ends goes, and by how much later looks overlap: ends may be listed out of order. */
const FIRST_LOOK_BACK_MS = 86_400_000;
const OVERLAP_MS = 60_000;

type Parts = Pick<DutyParts, 'database' | 'engine' | 'feed' | 'log'>;

/**
 * Terminated in the Temporal UI, timed out, failed in its own code: the row ends as the engine says.
 * Later looks begin before the newest end that was seen: the engine's clock alone counts, and its list may lag behind.
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

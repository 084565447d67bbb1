import { claimOpenExecutions } from '../../prisma/store/execution/reconcileQueries.ts';
import { endAsEngineReports } from '../executions/endAsEngineReports.ts';
import { rowByRow } from '../rowByRow.ts';
import type { Duty, DutyParts } from './duty.ts';

/** Most failed ends between two passes; compareOpen finds the others. */
const MOST_BAD_ENDS = 10_000;
/** How far back the first look for bad ends goes, and by how much later looks overlap. */
const FIRST_LOOK_BACK_MS = 86_400_000;
const OVERLAP_MS = 60_000;

type Parts = Pick<DutyParts, 'database' | 'engine' | 'feed' | 'log'>;

/** Terminated in the Temporal UI, timed out, failed in its own code: the row ends as the engine says. */
export function endFailedWorkflows(parts: Parts, intervalMs: number): Duty {
  const { database, engine, log } = parts;
  let lookedAt: Date | undefined;
  return {
    name: 'end failed executions',
    intervalMs,
    async run() {
      const now = Date.now();
      const since = lookedAt ?? new Date(now - FIRST_LOOK_BACK_MS);
      const executionIds = await engine.listEndedBadly(since, MOST_BAD_ENDS);
      const open = executionIds.length === 0 ? [] : await claimOpenExecutions(database, { executionIds });
      const allDone = await rowByRow(log, open, (row) => endAsEngineReports(parts, row));
      if (allDone) lookedAt = new Date(now - OVERLAP_MS);
    },
  };
}

import {
  claimOpenExecutions,
  claimUnstarted,
  type UnstartedExecution,
} from '../../prisma/store/execution/reconcileQueries.ts';
import { endAsEngineReports } from '../executions/endAsEngineReports.ts';
import { rowByRow } from '../rowByRow.ts';
import { BATCH, type Duty, type DutyParts, inRounds, SETTLING_MS } from './duty.ts';

type Parts = Pick<DutyParts, 'database' | 'engine' | 'starter' | 'feed' | 'log'>;

/** Lost starts that were none, to compare with the engine at a time; the others come up again. */
const MOST_KNOWN = 1_000;

/** Starts accepted executions that have not started, as many as the admission queue takes. */
export function startUnstarted(parts: Parts, intervalMs: number): Duty {
  const { database, log } = parts;
  /** PENDING, and known to the engine. */
  const known = new Set<string>();
  const compareLater = (executionId: string) => {
    if (known.size < MOST_KNOWN) known.add(executionId);
  };

  /** Whether there may be more for which the line has a place. */
  async function startBatch(): Promise<boolean> {
    const unstarted = await claimUnstarted(database, SETTLING_MS, BATCH);
    let isAnyInLine = false;
    await rowByRow(log, unstarted, async (row) => {
      if (await start(parts, row, compareLater)) isAnyInLine = true;
    });
    return isAnyInLine && unstarted.length === BATCH;
  }

  return {
    name: 'start accepted executions',
    intervalMs,
    async run(stopped) {
      await inRounds(stopped, startBatch);
      const executionIds = [...known].slice(0, BATCH);
      if (executionIds.length === 0) return;
      for (const each of executionIds) known.delete(each);
      const open = await claimOpenExecutions(database, { executionIds });
      await rowByRow(log, open, (row) => endAsEngineReports(parts, row));
    },
  };
}

/**
 * Whether it is in the admission queue. `compareLater`: it cannot be started, because its Temporal workflow waits for a
 * worker or ended without a write. Repeated tries would keep it too young for compareOpen.
 */
async function start(
  { engine, starter }: Parts,
  row: UnstartedExecution,
  compareLater: (executionId: string) => void,
): Promise<boolean> {
  const { executionId, starterId, released } = row;
  // A held execution with a starter waits as its child: the release has not reached it yet.
  if (released && starterId !== null && (await engine.release(executionId))) return false;
  // Its starter does it while it runs, and none but it: once it has ended, it cannot any more.
  if (starterId !== null && (await engine.describe(starterId)).kind === 'running') {
    compareLater(executionId);
    return false;
  }
  return starter.startAccepted(row, () => compareLater(executionId));
}

import {
  anyUnstarted,
  claimOpenExecutions,
  claimUnstarted,
  isAbandoned,
  type OpenExecution,
  type UnstartedExecution,
} from '../../prisma/store/execution/reconcileQueries.ts';
import { endAbandoned } from '../executions/endAbandoned.ts';
import { endAsEngineReports } from '../executions/endAsEngineReports.ts';
import { rowByRow } from '../rowByRow.ts';
import { BATCH, type Duty, type DutyParts, inRounds, SETTLING_MS } from './duty.ts';

type Parts = Pick<DutyParts, 'database' | 'engine' | 'starter' | 'feed' | 'releaser' | 'log'>;

/** Lost starts that were none, to compare with the engine at a time; the others come up again. */
const MAX_KNOWN = 1_000;

/** Starts accepted executions that have not started, as many as the admission queue takes. */
export function startUnstarted(parts: Parts, intervalMs: number): Duty {
  const { database, log } = parts;
  /** PENDING, and known to the engine. */
  const known = new Set<string>();
  const compareLater = (executionId: string) => {
    if (known.size < MAX_KNOWN) known.add(executionId);
  };

  /** Whether there may be more for which the line has a place. */
  async function startBatch(repaired: (rows: number) => void, buckets: readonly number[]): Promise<boolean> {
    const unstarted = await claimUnstarted(database, SETTLING_MS, buckets, BATCH);
    let isAnyInLine = false;
    await rowByRow(log, unstarted, async (row) => {
      if (!(await start(parts, row, compareLater))) return;
      isAnyInLine = true;
      repaired(1);
    });
    return isAnyInLine && unstarted.length === BATCH;
  }

  return {
    name: 'start accepted executions',
    intervalMs,
    // Those that are known are PENDING too, unless they have begun meanwhile.
    due: anyUnstarted,
    async run(stopped, repaired, buckets) {
      await inRounds(stopped, () => startBatch(repaired, buckets));
      const executionIds = [...known].slice(0, BATCH);
      if (executionIds.length === 0) return;
      for (const each of executionIds) known.delete(each);
      const open = await claimOpenExecutions(database, { executionIds });
      await rowByRow(log, open, (row) => compare(parts, row));
    },
  };
}

/**
 * Whether it is in the admission queue. `compareLater`: it cannot be started, because its Temporal workflow waits for a
 * worker or ended without a write. Repeated tries would keep it too young for compareOpen.
 */
async function start(
  parts: Parts,
  row: UnstartedExecution,
  compareLater: (executionId: string) => void,
): Promise<boolean> {
  const { database, engine, starter } = parts;
  const { executionId, starterId, released } = row;
  const whenKnown = () => compareLater(executionId);
  if (starterId === null) return starter.startAccepted(row, whenKnown);
  if (await isAbandoned(database, { ...row, starterId }, 'execution')) {
    if (!(await endAbandoned(parts, row))) whenKnown();
    return false;
  }
  // A held execution with a starter waits as its child: the release has not reached it yet.
  if (released && (await engine.release(executionId))) return false;
  const starting = await engine.describe(starterId);
  // Its starter does it while it runs, and none but it: once it has ended, it cannot any more.
  if (starting.kind === 'running') {
    whenKnown();
    return false;
  }
  // A part of an execution that is open: the execution ends, or begins the part again.
  if (row.parentExecutionId !== null) return false;
  // A run of a schedule: cancelled or terminated it has no execution, for whatever it was.
  if (starting.kind === 'ended' && starting.status === 'CANCELLED') {
    if (!(await endAbandoned(parts, row))) whenKnown();
    return false;
  }
  return starter.startAccepted(row, whenKnown);
}

/** One whose step was closed with its iteration has nobody who starts it, though its execution continues. */
async function compare(parts: Parts, row: OpenExecution): Promise<void> {
  const isKnown = await endAsEngineReports(parts, row);
  const { starterId } = row;
  if (isKnown || starterId === null || row.status !== 'PENDING') return;
  if (await isAbandoned(parts.database, { ...row, starterId }, 'step')) await endAbandoned(parts, row);
}

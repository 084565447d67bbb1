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

/** Maximum supposedly lost starts that are compared with the engine at once; later runs find the others. */
const MAX_KNOWN = 1_000;

/** Starts accepted executions that have not started, as many as the admission queue takes. */
export function startUnstarted(parts: Parts, intervalMs: number): Duty {
  const { database, log } = parts;
  /** PENDING, but known to the engine. */
  const known = new Set<string>();
  const compareLater = (executionId: string) => {
    if (known.size < MAX_KNOWN) known.add(executionId);
  };

  /** Returns whether there may be more that fit into the line. */
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
    // The known ones are PENDING too, unless they have begun.
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
 * Returns whether it is in the admission queue. Calls `compareLater` if its workflow waits for a worker or ended
 * without a write: repeated attempts would keep it too young for compareOpen.
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
  // Only its starter begins it, until the starter has ended.
  if (starting.kind === 'running') {
    whenKnown();
    return false;
  }
  // Part of an open execution: that execution ends, or begins the part again.
  if (row.parentExecutionId !== null) return false;
  // A cancelled or terminated run of a schedule has no execution.
  if (starting.kind === 'ended' && starting.status === 'CANCELLED') {
    if (!(await endAbandoned(parts, row))) whenKnown();
    return false;
  }
  return starter.startAccepted(row, whenKnown);
}

/** Ends an execution whose step was closed with its iteration: nothing starts it, though its parent continues. */
async function compare(parts: Parts, row: OpenExecution): Promise<void> {
  const isKnown = await endAsEngineReports(parts, row);
  const { starterId } = row;
  if (isKnown || starterId === null || row.status !== 'PENDING') return;
  if (await isAbandoned(parts.database, { ...row, starterId }, 'step')) await endAbandoned(parts, row);
}

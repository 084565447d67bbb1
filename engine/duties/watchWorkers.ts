import { recordProgress } from '../../prisma/store/execution/recordProgress.ts';
import {
  anyOnWorkers,
  renewToken,
  type StepOnWorker,
  stepsOnQueue,
  type WatchedQueue,
  watchedQueues,
} from '../../prisma/store/execution/workerWaits.ts';
import { isPolling } from '../customerWorkers.ts';
import { rowByRow } from '../rowByRow.ts';
import { BATCH, type Duty, type DutyParts, inRounds, SETTLING_MS } from './duty.ts';

type Parts = Pick<DutyParts, 'database' | 'engine' | 'feed' | 'log'>;

/** Shows steps on customers' workers as WAITING while nobody polls their queue. Temporal alone gives them to workers. */
export function watchWorkers(parts: Parts, intervalMs: number): Duty {
  return {
    name: 'watch queues of customers',
    intervalMs,
    due: (buckets) => anyOnWorkers(SETTLING_MS, buckets),
    async run(stopped, _repaired, buckets) {
      for (const queue of await watchedQueues(parts.database, SETTLING_MS, buckets)) {
        if (stopped.aborted) return;
        const pollers = await parts.engine.customerWorkers.pollersOf(queue.taskQueue, queue.kind);
        if (pollers.some(isPolling)) await showRunning(parts, queue, stopped, buckets);
        else await showWaiting(parts, queue, buckets);
      }
    },
  };
}

async function showRunning(parts: Parts, queue: WatchedQueue, stopped: AbortSignal, buckets: readonly number[]) {
  if (!queue.hasWaiting) return;
  await inRounds(stopped, async () => {
    const waiting = await stepsOnQueue(parts.database, queue, 'WAITING', { ageMs: 0, buckets, limit: BATCH });
    const areDone = await rowByRow(parts.log, waiting, async (step) => {
      await renewToken(parts.database, step);
      await show(parts, step, 'RUNNING');
    });
    return areDone && waiting.length === BATCH;
  });
}

/** A step that a lost worker has taken stays RUNNING, and is asked for again in the next run. */
async function showWaiting(parts: Parts, queue: WatchedQueue, buckets: readonly number[]) {
  if (!queue.hasRunning) return;
  const which = { ageMs: SETTLING_MS, buckets, limit: BATCH };
  const running = await stepsOnQueue(parts.database, queue, 'RUNNING', which);
  await rowByRow(parts.log, running, async (step) => {
    const isTaken = await parts.engine.customerWorkers.isTaken({ ...step, kind: queue.kind });
    if (!isTaken) await show(parts, step, 'WAITING');
  });
}

async function show(
  { database, feed }: Parts,
  { workspaceId, executionId, record }: StepOnWorker,
  status: 'RUNNING' | 'WAITING',
) {
  const change = await recordProgress(database, workspaceId, executionId, { steps: [{ ...record, status }] });
  if (change) feed.publish(change);
}

import { either } from '../../prisma/store/dueRows.ts';
import { anyReleasable, releasableWorkflows } from '../../prisma/store/execution/releasableWorkflows.ts';
import { anyReadyQueue } from '../../prisma/store/queue/consumedQueues.ts';
import { foldCounts } from '../../prisma/store/queue/foldCounts.ts';
import { deleteOldEnds, foldEnds } from '../../prisma/store/queue/foldEnds.ts';
import { anyDueItem } from '../../prisma/store/queueItem/dueItems.ts';
import { rowByRow } from '../rowByRow.ts';
import { BATCH, type Duty, type DutyParts, inRounds } from './duty.ts';

const QUEUES = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

export const DRAIN_QUEUES = 'drain queues';

/** Takes ready and due items whose notification was lost (queueFeed.ts). */
export function drainQueues({ queues, dueItems }: Pick<DutyParts, 'queues' | 'dueItems'>, intervalMs: number): Duty {
  let after = FIRST;
  return {
    name: DRAIN_QUEUES,
    intervalMs,
    due: (buckets) => either(anyDueItem(buckets), anyReadyQueue(buckets)),
    async run() {
      await dueItems.look();
      after = (await queues.lookAt(after, QUEUES)) ?? FIRST;
    },
  };
}

/** Folds the count differences of item writes, and deletes those that statistics no longer read. */
export function foldItemCounts({ database }: Pick<DutyParts, 'database'>, intervalMs: number): Duty {
  return {
    name: 'fold the counts of queues',
    intervalMs,
    async run(stopped) {
      await inRounds(stopped, async () => (await foldCounts(database, BATCH)) === BATCH);
      await inRounds(stopped, async () => (await foldEnds(database, BATCH)) === BATCH);
      await inRounds(stopped, async () => (await deleteOldEnds(database, BATCH)) === BATCH);
    },
  };
}

export function releaseHeld(
  { database, releaser, log }: Pick<DutyParts, 'database' | 'releaser' | 'log'>,
  intervalMs: number,
): Duty {
  return {
    name: 'release held executions',
    intervalMs,
    due: anyReleasable,
    async run(_stopped, repaired, buckets) {
      const lines = await releasableWorkflows(database, buckets, BATCH);
      repaired(lines.length);
      await rowByRow(log, lines, ({ workspaceId, workflowId }) => releaser.release(workspaceId, workflowId));
    },
  };
}

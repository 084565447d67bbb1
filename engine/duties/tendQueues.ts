import { foldCounts } from '../../prisma/store/queue/foldCounts.ts';
import { failExpiredLeases } from '../../prisma/store/queueItem/failItem.ts';
import { BATCH, type Duty, type DutyParts, inRounds } from './duty.ts';

/** A lease that ran out returns its item, as an error does: somebody else may have it. */
export function expireLeases({ database }: Pick<DutyParts, 'database'>, intervalMs: number): Duty {
  return {
    name: 'return items whose lease ran out',
    intervalMs,
    async run(stopped) {
      await inRounds(stopped, async () => (await failExpiredLeases(database, BATCH)).length === BATCH);
    },
  };
}

/** What writes of items add to the counts of their queues is put together. */
export function foldItemCounts({ database }: Pick<DutyParts, 'database'>, intervalMs: number): Duty {
  return {
    name: 'put the counts of queues together',
    intervalMs,
    async run(stopped) {
      await inRounds(stopped, async () => (await foldCounts(database, BATCH)) === BATCH);
    },
  };
}

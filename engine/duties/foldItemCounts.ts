import { foldCounts } from '../../prisma/store/queue/foldCounts.ts';
import { BATCH, type Duty, type DutyParts, inRounds } from './duty.ts';

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

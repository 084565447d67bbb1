import type { Duty, DutyParts } from './duty.ts';

/** Queues of one run: of more, each has its turn in a later one. */
const QUEUES = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Items that are ready or due and of which nobody was told: the net under queueFeed.ts. */
export function drainQueues({ queues, dueItems }: Pick<DutyParts, 'queues' | 'dueItems'>, intervalMs: number): Duty {
  let after = FIRST;
  return {
    name: 'drain queues',
    intervalMs,
    async run() {
      await dueItems.look();
      after = (await queues.lookAt(after, QUEUES)) ?? FIRST;
    },
  };
}

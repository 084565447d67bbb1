import type { LoopProgress, Loops } from '../../prisma/store/execution/readLoops.ts';
import { event } from '../streams/eventStream.ts';

/** An event for each loop that went on. */
export function loopEvents(executionId: string, before: Loops, now: Loops): string {
  const known = new Map(before.loops.map((loop) => [loop.nodeId, loop]));
  return now.loops
    .filter((loop) => !sameProgress(known.get(loop.nodeId), loop))
    .map(({ nodeId, completed, failed, total }) =>
      event(
        'loop.progress',
        { executionId, nodeId, completed, failed, ...(total === null ? {} : { total }) },
        now.revision,
      ),
    )
    .join('');
}

function sameProgress(one: LoopProgress | undefined, other: LoopProgress): boolean {
  return one?.completed === other.completed && one.failed === other.failed && one.total === other.total;
}

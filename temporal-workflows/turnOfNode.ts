import { CancellationScope } from '@temporalio/workflow';
import type { TurnStart } from '../domain/agent/turnCalls.ts';
import type { RegionStart } from '../domain/execution/activityCalls.ts';
import type { PlanNode } from '../domain/workflow/plan.ts';
import { startChildTurn } from './childTurn.ts';

/** Starts the turn that a node asks for, and waits for its end as long as the node has time: then it is stopped. */
export async function turnOfNode({ id, timeoutMs }: PlanNode, start: TurnStart): Promise<RegionStart> {
  let isLate = false;
  const work = async () => {
    CancellationScope.current().cancelRequested.catch(() => {
      isLate = true;
    });
    const child = await startChildTurn(start);
    await child.ended();
  };
  await (timeoutMs === undefined ? work() : CancellationScope.withTimeout(timeoutMs, work));
  return { nodeId: id, cause: 'turn', runId: start.turn.runId, ...(isLate ? { isLate } : {}) };
}

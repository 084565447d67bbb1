import type { RemainingCall } from '../../domain/execution/activityCalls.ts';
import { loopKey } from '../../domain/execution/iteration.ts';
import { readRemaining } from '../../prisma/store/execution/remainingIterations.ts';
import type { ActivityServices } from '../services.ts';

export function remainingIterations({ database }: ActivityServices, call: RemainingCall): Promise<number[]> {
  const { workspaceId, executionId, iteration = '', nodeId, total, from, to } = call;
  const loop = { workspaceId, executionId, loopKey: loopKey(iteration, nodeId), total };
  return readRemaining(database, loop, from, to);
}

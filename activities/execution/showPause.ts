import type { ShowPauseCall } from '../../domain/execution/activityCalls.ts';
import { planNode } from '../../domain/execution/progress.ts';
import { stepRecord } from '../../engine/stepRecords.ts';
import type { ActivityServices } from '../services.ts';

/** The loop waits until `wakeAt` for its next iteration, or goes on. */
export async function showPause(services: ActivityServices, call: ShowPauseCall): Promise<void> {
  const { workspaceId, executionId, iteration = '', nodeId, wakeAt } = call;
  const definition = await services.definitions.get(call);
  const compiled = definition.nodes.get(nodeId);
  if (!compiled) throw new Error(`The definition has no node ${nodeId}`);
  const record = stepRecord(compiled, planNode(definition.plan, nodeId).label, 1, iteration);
  await services.writer.record(workspaceId, executionId, {
    steps: [wakeAt === undefined ? record : { ...record, status: 'WAITING', wakeAt: new Date(wakeAt).toISOString() }],
  });
}

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { stackTemporal } from './temporal.ts';

/**
 * Resets a workflow in the engine, as people do in the Temporal UI: what it has done since its first or its last task is
 * done again, over the rows as they stand, as if a worker had died in that task.
 */
export async function beginAgain(workflowId: string, from: 'first task' | 'last task' = 'first task'): Promise<void> {
  const { workflow, workflowService } = await stackTemporal();
  const handle = workflow.getHandle(workflowId);
  const task = async () => {
    const { events } = await handle.fetchHistory();
    const completed = events?.filter(({ workflowTaskCompletedEventAttributes: attributes }) => attributes);
    return completed?.at(from === 'first task' ? 0 : -1)?.eventId;
  };
  // The row tells of a wait a moment before the task ends in which it began.
  await expect.poll(task, { timeout: 10_000 }).toBeDefined();
  await workflowService.resetWorkflowExecution({
    namespace: workflow.options.namespace,
    workflowExecution: { workflowId },
    workflowTaskFinishEventId: await task(),
    requestId: randomUUID(),
    reason: 'test',
  });
}

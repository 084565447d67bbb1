import { randomUUID } from 'node:crypto';
import { poll } from '../jest/poll.ts';
import { stackTemporal } from './temporal.ts';

/**
 * Resets a workflow in the engine, like people in the Temporal UI: it runs again from its first or its last task, over
 * the existing rows, as if a worker had died in that task.
 */
export async function beginAgain(workflowId: string, from: 'first task' | 'last task' = 'first task'): Promise<void> {
  const { workflow, workflowService } = await stackTemporal();
  const tasks = await endedTasks(workflowId);
  await workflowService.resetWorkflowExecution({
    namespace: workflow.options.namespace,
    workflowExecution: { workflowId },
    workflowTaskFinishEventId: tasks.at(from === 'first task' ? 0 : -1),
    requestId: randomUUID(),
    reason: 'test',
  });
}

/**
 * The ids of the events that tell of the ended tasks of a workflow, when there is one: the row tells of a wait a moment
 * before the task ends in which it began.
 */
export async function endedTasks(workflowId: string) {
  const handle = (await stackTemporal()).workflow.getHandle(workflowId);
  const ended = async () => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).flatMap(({ eventId, workflowTaskCompletedEventAttributes: attributes }) =>
      attributes && eventId ? [eventId] : [],
    );
  };
  await poll(ended).not.toEqual([]);
  return ended();
}

import { randomUUID } from 'node:crypto';
import { poll } from '../jest/poll.ts';
import { stackTemporal } from './temporal.ts';

/** Resets a workflow like the Temporal UI: it runs again from its first or last task, as if a worker had died there. */
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

/** Returns the event ids of completed tasks once there is one: the row shows a wait before the end of its task. */
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

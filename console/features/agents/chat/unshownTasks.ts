import { outboxTasks } from '../../../app/delivery/outbox.ts';
import { loaded } from '../../../ui/load/loaded.ts';

const shown = new Set<string>();

/** The page of a task sends what waits there itself, until the function that this gives is called. */
export function showTask(agentId: string, taskId: string): () => void {
  const key = `${agentId} ${taskId}`;
  shown.add(key);
  return () => {
    shown.delete(key);
    sendUnshown((agent, task) => agent === agentId && task === taskId);
  };
}

/** Sends what waits in this tab of tasks whose pages are not shown, each as soon as it takes it. */
export function sendUnshown(isMeant: (agentId: string, taskId: string) => boolean = () => true): void {
  for (const { agentId, taskId } of outboxTasks()) {
    const isShown = () => shown.has(`${agentId} ${taskId}`);
    if (isShown() || !isMeant(agentId, taskId)) continue;
    loaded(() => import('./sendWaiting.ts'))
      .then(({ sendWaiting }) => sendWaiting(agentId, taskId, isShown))
      // It waits on: the next change of the task, or the API's return, tries once more.
      .catch(() => undefined);
  }
}

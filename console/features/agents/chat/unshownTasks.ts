import { outboxTasks } from '../../../app/delivery/outbox.ts';
import { loaded } from '../../../ui/load/lazyPart.ts';

const shown = new Set<string>();

/** Marks a task as shown until the returned function is called: its page sends its waiting messages itself. */
export function showTask(agentId: string, taskId: string): () => void {
  const key = `${agentId} ${taskId}`;
  shown.add(key);
  return () => {
    shown.delete(key);
    sendUnshown((agent, task) => agent === agentId && task === taskId);
  };
}

export function sendUnshown(isMeant: (agentId: string, taskId: string) => boolean = () => true): void {
  for (const { agentId, taskId } of outboxTasks()) {
    const isShown = () => shown.has(`${agentId} ${taskId}`);
    if (isShown() || !isMeant(agentId, taskId)) continue;
    loaded(() => import('./sendWaiting.ts'))
      .then(({ sendWaiting }) => sendWaiting(agentId, taskId, isShown))
      // The messages stay; the next change of the task or the return of the API triggers another try.
      .catch(() => undefined);
  }
}

import type { UIMessage } from 'ai';
import { QUERIES } from '../../../app/api/queries.ts';
import { client } from '../../../app/session/session.ts';
import { TASK_LIST, taskKey } from './queries.ts';

export const refreshTasks = (): void => void QUERIES.invalidateQueries({ queryKey: TASK_LIST });

export function refreshTask(agentId: string, taskId: string): void {
  refreshTasks();
  void QUERIES.invalidateQueries({ queryKey: taskKey(agentId, taskId) });
}

/** The caller refreshes the list after it has stored the first message. */
export async function createTask(agentId: string): Promise<string> {
  return (await client.createTask({ path: { agentId }, body: {} })).id;
}

export async function renameTask(agentId: string, taskId: string, name: string | null): Promise<void> {
  await client.updateTask({ path: { taskId }, query: { agentId }, body: { name } });
  refreshTask(agentId, taskId);
}

export const deleteTask = (agentId: string, taskId: string) =>
  client.deleteTask({ path: { taskId }, query: { agentId } });

export const stopTurn = (agentId: string, taskId: string) =>
  client.stopMessageStream({ path: { agentId, taskId }, body: {} });

/** The body is that of the AI SDK; the client has no type for it. */
export const streamMessage = (agentId: string, taskId: string, body: object, signal?: AbortSignal): Promise<Response> =>
  client.send('streamMessage', {
    path: { agentId, taskId },
    body: body as never,
    ...(signal === undefined ? {} : { signal }),
  });

export const resumeStream = (agentId: string, taskId: string, signal?: AbortSignal): Promise<Response> =>
  client.send('resumeMessageStream', { path: { agentId, taskId }, ...(signal === undefined ? {} : { signal }) });

/** Omits an empty text: some models refuse it. */
export const messageParts = (text: string, others: readonly UIMessage['parts'][number][] = []) => [
  ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ...others,
];

import { queryOptions } from '@tanstack/react-query';
import type { UIMessage } from 'ai';
import type { Answer } from 'perdure-client';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { pagesOf } from '../../../app/api/pages.ts';
import { client } from '../../../app/session/session.ts';

type ReadTask = Answer<'getTask'>;
export type Usage = NonNullable<ReadTask['usage']>;
export type LatestRun = NonNullable<ReadTask['latestRun']>;

export type TaskWhole = Omit<ReadTask, 'messages'> & { messages: UIMessage[] };

const ROW = ['lastActivityAt', 'latestRun'];
const WHOLE = ['messages', 'messageUsage', 'usage', 'agent', 'parentTask', 'parentExecution', 'toolExecutions'];
const LARGE = ['messages', 'messageUsage', 'toolExecutions'] as const;

export const taskPages = (agentId: string) =>
  pagesOf('listTasks', { query: { filterBy: `agentId:${agentId}`, expansion: ROW.join(',') } });

export const TASK_LIST = ['listTasks'];
export const taskKey = (agentId: string, taskId: string): string[] => ['getTask', agentId, taskId];

export function task(agentId: string, taskId: string) {
  return queryOptions({
    queryKey: taskKey(agentId, taskId),
    queryFn: ({ signal }) => readTask(agentId, taskId, signal),
  });
}

/** False while a turn runs or waits for an approval: a message would be taken as the answer. */
export const takesMessage = ({ isStreaming, latestRun }: Pick<TaskWhole, 'isStreaming' | 'latestRun'>): boolean =>
  !isStreaming && latestRun?.status !== 'NEEDS_APPROVAL';

async function readTask(agentId: string, taskId: string, signal: AbortSignal): Promise<TaskWhole> {
  const read = (expansion: string) => client.getTask({ path: { taskId }, query: { agentId, expansion }, signal });
  const whole = await withLeftOut(await read(WHOLE.join(',')), LARGE, read);
  return { ...whole, messages: (whole.messages ?? []) as UIMessage[] };
}

const MAX_COUNTED = 1_000;

export function openTasks() {
  const filterBy = 'status:RUNNING|NEEDS_APPROVAL';
  return queryOptions({
    queryKey: [...TASK_LIST, 'open'],
    queryFn: ({ signal }) =>
      client.listTasks({ query: { filterBy, expansion: 'agent,latestRun', limit: MAX_COUNTED }, signal }),
  });
}

import type { QueryClient } from '@tanstack/react-query';
import type { components, Item } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';
import { requireTaken } from './turnAttached.ts';

export type AskingTask = Item<'listTasks'>;
export type PendingApproval = components['schemas']['PendingApproval'];

export const approvalPages = () =>
  pagesOf('listTasks', {
    query: { filterBy: 'status:NEEDS_APPROVAL', expansion: 'agent,pendingApprovals,latestRun,lastActivityAt' },
  });

export const refreshApprovals = (queries: QueryClient) => queries.invalidateQueries({ queryKey: ['listTasks'] });

/** Identifies the calls that a task asks about. The value changes when the task asks again. */
export const askedIn = ({ pendingApprovals = [] }: AskingTask) =>
  pendingApprovals.map(({ approvalId }) => approvalId).join(' ');

export interface ApprovalAnswer {
  id: string;
  approved: boolean;
  reason?: string;
}

/** Answers all calls of a task in one message. Rejects with TurnAttached if somebody else's answer came first. */
export async function answerApprovals(
  agentId: string,
  taskId: string,
  answers: readonly ApprovalAnswer[],
): Promise<void> {
  const parts = answers.map(({ id, ...answer }) => ({ type: 'tool-approval-response', approvalId: id, ...answer }));
  const stream = await client.send('streamMessage', {
    path: { agentId, taskId },
    body: { message: { role: 'assistant', parts } },
  });
  await requireTaken(stream);
  await stream.body?.cancel();
}

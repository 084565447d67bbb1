import type { components, Item } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';
import { requireTaken } from './turnAttached.ts';

export type AskingTask = Item<'listTasks'>;
export type PendingApproval = components['schemas']['PendingApproval'];

/** Tasks whose agents ask a person before they act. */
export const approvalPages = () =>
  pagesOf('listTasks', {
    query: { filterBy: 'status:NEEDS_APPROVAL', expansion: 'agent,pendingApprovals,latestRun,lastActivityAt' },
  });

/** Which calls a task asks about; others when it asks again. */
export const askedIn = ({ pendingApprovals = [] }: AskingTask) =>
  pendingApprovals.map(({ approvalId }) => approvalId).join(' ');

/** What a person says to a call that waits for an approval; `id`: of the approval. */
export interface ApprovalAnswer {
  id: string;
  approved: boolean;
  reason?: string;
}

/**
 * Answers all that a task asks, which is one message. Resolves when the agent goes on, which it does without us; rejected with
 * TurnAttached where it goes on by what somebody else has answered.
 */
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

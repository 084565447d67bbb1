import { askedApprovals, withAnswers } from '../../domain/agent/approvals.ts';
import type { TurnRef } from '../../domain/agent/turnCalls.ts';
import { applyAnswers } from '../../prisma/store/turn/applyAnswers.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import type { OpenedAttempt } from '../../prisma/store/turn/openAttempt.ts';
import type { ActivityServices } from '../services.ts';

/** Adds a person's answers to the message that the turn continues. Returns false if that was done before. */
export async function answerApprovals(
  { database, feed }: ActivityServices,
  { workspaceId, runId }: TurnRef,
  { approvals, messages, messageId }: OpenedAttempt,
): Promise<boolean> {
  const message = messages.find(({ id }) => id === messageId);
  if (approvals === null || !message) return false;
  const asked = askedApprovals(message.parts);
  const calls = approvals.flatMap(({ approvalId, approved }) => {
    const toolCallId = asked.get(approvalId);
    return toolCallId === undefined ? [] : [{ toolCallId, approved }];
  });
  if (calls.length === 0) return false;
  const parts = withAnswers(message.parts, approvals);
  const written = await applyAnswers(database, workspaceId, runId, { messageId, parts, calls });
  if (written) feed.publish(changeOf(runId, written));
  return true;
}

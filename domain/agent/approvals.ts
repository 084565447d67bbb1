import type { UIMessage } from 'ai';
import { toolPartOf } from './toolPart.ts';

/** A person's answer to an approval. */
export interface ApprovalAnswer {
  approvalId: string;
  approved: boolean;
  reason?: string;
}

type Part = UIMessage['parts'][number];

/** The reason that model and client get for a call that nobody was asked about. */
const DENIED_BY_POLICY = 'The policy of the agent denies this call';

/** The approval of a call, asked for or not. */
export function approvalIdOf(toolCallId: string): string {
  return `approve-${toolCallId}`;
}

/**
 * The message with each denied call as clients expect it: with an approval that was refused. The chunk that denies a call says
 * that nobody was asked; where a person has said no, their answer is there already.
 */
export function withDenials(parts: readonly Part[]): Part[] {
  return parts.map((part) => {
    const call = toolPartOf(part);
    if (call?.state !== 'output-denied' || call.approval?.approved === false) return part;
    const id = call.approval?.id ?? approvalIdOf(call.toolCallId);
    return { ...part, approval: { id, approved: false, reason: DENIED_BY_POLICY } } as Part;
  });
}

/** Approvals that a message still asks for, by id, with the call that each is of. */
export function askedApprovals(parts: readonly Part[]): Map<string, string> {
  const asked = new Map<string, string>();
  for (const part of parts) {
    const call = toolPartOf(part);
    if (call?.state === 'approval-requested' && call.approval) asked.set(call.approval.id, call.toolCallId);
  }
  return asked;
}

/** A call that a person is asked about, as lists of tasks show it. */
export interface PendingApproval {
  approvalId: string;
  toolName: string;
  input: unknown;
  messageId: string;
}

export function pendingApprovalsOf({ id, parts }: Pick<UIMessage, 'id' | 'parts'>): PendingApproval[] {
  return parts.flatMap((part) => {
    const call = toolPartOf(part);
    if (call?.state !== 'approval-requested' || !call.approval) return [];
    return [{ approvalId: call.approval.id, toolName: call.toolName, input: call.input ?? null, messageId: id }];
  });
}

/** Calls that the answers are of: still asked about, or answered and not yet begun. */
export function answeredCalls(
  parts: readonly Part[],
  answers: readonly ApprovalAnswer[],
): { toolCallId: string; approved: boolean }[] {
  const byId = new Map(answers.map((answer) => [answer.approvalId, answer]));
  return parts.flatMap((part) => {
    const call = toolPartOf(part);
    const answer = byId.get(call?.approval?.id ?? '');
    if (!call || !answer || !['approval-requested', 'approval-responded'].includes(call.state)) return [];
    return [{ toolCallId: call.toolCallId, approved: answer.approved }];
  });
}

/** The message with the answers in it. */
export function withAnswers(parts: readonly Part[], answers: readonly ApprovalAnswer[]): Part[] {
  const byId = new Map(answers.map((answer) => [answer.approvalId, answer]));
  return parts.map((part) => {
    const call = toolPartOf(part);
    const answer = call?.state === 'approval-requested' ? byId.get(call.approval?.id ?? '') : undefined;
    if (!answer) return part;
    const { approved, reason } = answer;
    const approval = { ...call?.approval, approved, ...(reason === undefined ? {} : { reason }) };
    return { ...part, state: approved ? 'approval-responded' : 'output-denied', approval } as Part;
  });
}

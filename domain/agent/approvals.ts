import type { UIMessage } from 'ai';
import { toolPartOf } from './toolPart.ts';

export interface ApprovalAnswer {
  approvalId: string;
  approved: boolean;
  reason?: string;
}

type Part = UIMessage['parts'][number];

/** The reason that the model and the client receive if the policy denies a call without asking anyone. */
const DENIED_BY_POLICY = "The agent's policy denies this call";

/** The id of a call's approval, whether or not one is requested. */
export function approvalIdOf(toolCallId: string): string {
  return `approve-${toolCallId}`;
}

/** Gives each denied call a rejected approval, as clients expect. Calls that the policy denied have none yet. */
export function withDenials(parts: readonly Part[]): Part[] {
  return parts.map((part) => {
    const call = toolPartOf(part);
    if (call?.state !== 'output-denied' || call.approval?.approved === false) return part;
    const id = call.approval?.id ?? approvalIdOf(call.toolCallId);
    return { ...part, approval: { id, approved: false, reason: DENIED_BY_POLICY } } as Part;
  });
}

/** Returns the pending approvals of a message: approval id to call id. */
export function askedApprovals(parts: readonly Part[]): Map<string, string> {
  const asked = new Map<string, string>();
  for (const part of parts) {
    const call = toolPartOf(part);
    if (call?.state === 'approval-requested' && call.approval) asked.set(call.approval.id, call.toolCallId);
  }
  return asked;
}

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

/** Returns the calls of the answers that still wait for approval, or are answered and have not begun. */
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

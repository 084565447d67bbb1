import type { UIMessage } from 'ai';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { Problem, type ProblemDetail } from '../problem.ts';
import type { ApprovalAnswer } from './approvals.ts';

export type TurnRequest =
  /** `replaces`: the message with this id and all later ones are replaced. */
  | { kind: 'message'; message: NewMessage; replaces: boolean }
  /** Replaces this assistant message, or the newest one, and all later messages. */
  | { kind: 'regenerate'; messageId: string | undefined }
  | { kind: 'approval'; messageId: string | undefined; answers: ApprovalAnswer[] };

export interface NewMessage {
  id: string | undefined;
  role: 'user';
  parts: UIMessage['parts'];
  metadata: Json | undefined;
}

/** Chat clients send all their messages, or only the new one. */
export interface MessageBody {
  messages?: unknown[];
  message?: unknown;
  trigger?: string;
  messageId?: string;
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Reads only the last message, because the stored history is authoritative. Throws VALIDATION_FAILED. */
export function turnRequest({ messages, message, trigger, messageId }: MessageBody): TurnRequest {
  if (trigger === 'regenerate-message') return { kind: 'regenerate', messageId };
  const path =
    message === undefined && messages !== undefined ? `messages[${Math.max(messages.length - 1, 0)}]` : 'message';
  const given = message ?? messages?.at(-1);
  if (!isJsonObject(given)) throw refused([{ path, message: 'expected a message: {id, role, parts}' }]);
  if (given.role === 'assistant') return approvalRequest(given, path);
  if (given.role !== 'user')
    throw refused([{ path: `${path}.role`, message: 'expected user, or assistant with an answer to an approval' }]);
  const problems: ProblemDetail[] = [];
  if (given.id !== undefined && !(typeof given.id === 'string' && ID.test(given.id))) {
    problems.push({ path: `${path}.id`, message: 'expected 1 to 64 letters, digits, _ and -' });
  }
  problems.push(...partProblems(given.parts, `${path}.parts`));
  if (problems.length > 0) throw refused(problems);
  const { id, parts, metadata } = given as unknown as NewMessage;
  return {
    kind: 'message',
    message: { id, role: 'user', parts, metadata },
    replaces: id !== undefined && messageId === id,
  };
}

function partProblems(parts: Json | undefined, path: string): ProblemDetail[] {
  if (!Array.isArray(parts) || parts.length === 0) return [{ path, message: 'expected a list with at least one part' }];
  return parts.flatMap((part, index) => {
    const wrong = partProblem(part);
    return wrong === undefined ? [] : [{ path: `${path}[${index}]`, message: wrong }];
  });
}

function partProblem(part: Json): string | undefined {
  if (!isJsonObject(part) || typeof part.type !== 'string') return 'expected a part: {type, …}';
  if (part.type === 'text') return typeof part.text === 'string' ? undefined : 'expected text: a text';
  if (part.type === 'file') {
    const { url, mediaType } = part;
    if (typeof mediaType !== 'string') return 'expected mediaType: a text such as image/png';
    return typeof url === 'string' && /^(data|https?):/.test(url)
      ? undefined
      : 'expected url: one of data:, https: or http:';
  }
  return part.type.startsWith('data-') ? undefined : 'expected the type text, file or data-…';
}

/** Accepts the chat client's whole message, or the plain `{type: 'tool-approval-response', approvalId, approved}`. */
function approvalRequest(message: JsonObject, path: string): TurnRequest {
  const parts = Array.isArray(message.parts) ? message.parts : [];
  const answers = parts.flatMap((part): ApprovalAnswer[] => {
    if (!isJsonObject(part)) return [];
    if (part.type === 'tool-approval-response') return answerOf(part.approvalId, part.approved, part.reason);
    if (part.state !== 'approval-responded' || !isJsonObject(part.approval)) return [];
    return answerOf(part.approval.id, part.approval.approved, part.approval.reason);
  });
  if (answers.length === 0) {
    throw refused([
      {
        path: `${path}.parts`,
        message: 'expected an answer to an approval; clients cannot write messages of the assistant',
      },
    ]);
  }
  const contrary = answers.find(({ approvalId, approved }) =>
    answers.some((other) => other.approvalId === approvalId && other.approved !== approved),
  );
  if (contrary) {
    const message = `the approval ${contrary.approvalId} is both granted and rejected: expected one answer`;
    throw refused([{ path: `${path}.parts`, message }]);
  }
  return {
    kind: 'approval',
    messageId: typeof message.id === 'string' ? message.id : undefined,
    answers: onceEach(answers),
  };
}

/** A client's part and the plain answer may repeat each other. */
function onceEach(answers: readonly ApprovalAnswer[]): ApprovalAnswer[] {
  return [...new Map(answers.map((answer) => [answer.approvalId, answer])).values()];
}

function answerOf(
  approvalId: Json | undefined,
  approved: Json | undefined,
  reason: Json | undefined,
): ApprovalAnswer[] {
  if (typeof approvalId !== 'string' || typeof approved !== 'boolean') return [];
  return [{ approvalId, approved, ...(typeof reason === 'string' ? { reason } : {}) }];
}

function refused(errors: ProblemDetail[]): Problem {
  return new Problem('VALIDATION_FAILED', 'The message is not accepted', { errors });
}

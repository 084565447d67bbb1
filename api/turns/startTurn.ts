import { type ApprovalAnswer, askedApprovals } from '../../domain/agent/approvals.ts';
import { type MessageBody, type TurnRequest, turnRequest } from '../../domain/agent/turnRequest.ts';
import { derivedId } from '../../domain/derivedId.ts';
import { Problem, type ProblemCode } from '../../domain/problem.ts';
import { traceText } from '../../domain/trace/trace.ts';
import { traceHere } from '../../engine/tracing/work.ts';
import { type AcceptedTurn, acceptTurn, type NewTurn } from '../../prisma/store/turn/acceptTurn.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { readApprovalMessage } from '../../prisma/store/turn/readApprovalMessage.ts';
import type { Caller } from '../access/caller.ts';
import type { Services } from '../services.ts';
import { taskNotFound } from './taskNotFound.ts';

export interface TurnCall {
  caller: Caller;
  params: { agentId: string; taskId: string };
  body: MessageBody;
  resourceId: string;
  requestId: string;
  services: Services;
}

export interface StartedTurn {
  runId: string;
  /** It continues a message that its caller has. */
  continuesMessage: boolean;
  /** It is the running turn, which contains nothing of this request. */
  isAttached: boolean;
}

/** Unless the request `queues`, it follows a running turn instead. Throws a Problem if the turn is refused. */
export async function startTurn(call: TurnCall, queues: boolean): Promise<StartedTurn> {
  const { caller, params, resourceId: runId, services } = call;
  const request = turnRequest(call.body);
  requireTaskId(params.taskId);
  if (request.kind === 'approval') await requireAsked(call, request.answers);
  const turn: NewTurn = { ...commonOf(call, queues), ...kindOf(request, runId) };
  const accepted = await acceptTurn(services.database, caller.workspaceId, { ...params, runId }, turn);
  const { outcome } = accepted;
  if (outcome === 'exists' && accepted.runId !== null)
    return { runId: accepted.runId, continuesMessage: false, isAttached: false };
  if (outcome === 'attached' && accepted.runId !== null) {
    return { runId: accepted.runId, continuesMessage: false, isAttached: true };
  }
  if (outcome === 'absent') throw await taskNotFound(call);
  if (outcome !== 'accepted' || accepted.status === null) throw refusal(accepted);
  services.feed.publish(changeOf(runId, { revision: accepted.revision, status: accepted.status }));
  if (request.kind === 'approval') services.stepWakes.approvalEnded(runId);
  // A queued turn is started when the previous one ends.
  if (accepted.status === 'RUNNING') await services.turns.start({ workspaceId: caller.workspaceId, runId });
  return { runId, continuesMessage: request.kind === 'approval', isAttached: false };
}

function requireTaskId(taskId: string): void {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(taskId)) return;
  const errors = [{ path: 'taskId', message: 'expected 1 to 64 letters, digits, _ and -' }];
  throw new Problem('VALIDATION_FAILED', 'The id of the task is not valid', { errors });
}

function commonOf({ caller, requestId, resourceId }: TurnCall, queues: boolean) {
  const trace = traceHere();
  return {
    ...(trace ? { trace: traceText(trace) } : {}),
    messageId: derivedId(resourceId, 'message'),
    queues,
    requestId,
    granted: !caller.permissions.has('agents:read'),
    ...(caller.kind === 'user' ? { userId: caller.userId } : { apiKeyId: caller.apiKeyId }),
  };
}

function kindOf(request: TurnRequest, runId: string) {
  if (request.kind === 'message') {
    const { message, replaces } = request;
    const { id = derivedId(runId, 'user message'), parts, metadata } = message;
    return {
      kind: 'message' as const,
      message: { id, parts, ...(metadata === undefined ? {} : { metadata }) },
      replaces,
    };
  }
  const target = request.messageId === undefined ? {} : { target: request.messageId };
  if (request.kind === 'regenerate') return { kind: 'regenerate' as const, ...target };
  return { kind: 'approval' as const, ...target, answers: request.answers };
}

/** All pending approvals must be answered at once, because the turn needs every decision to continue. */
async function requireAsked(
  { caller, params, services, body }: TurnCall,
  answers: readonly ApprovalAnswer[],
): Promise<void> {
  const parts = await readApprovalMessage(services.database, caller, params);
  if (!parts) return;
  const asked = new Set(askedApprovals(parts).keys());
  const answered = new Set(answers.map(({ approvalId }) => approvalId));
  const path = body.message === undefined ? `messages[${(body.messages?.length ?? 1) - 1}].parts` : 'message.parts';
  const errors = [
    ...[...asked]
      .filter((id) => !answered.has(id))
      .map((id) => ({ path, message: `the approval ${id} is pending too: expected an answer to it` })),
    ...[...answered]
      .filter((id) => !asked.has(id))
      .map((id) => ({ path, message: `no approval is pending for ${id}` })),
  ];
  if (errors.length > 0)
    throw new Problem('VALIDATION_FAILED', 'The answers do not match the pending approvals', { errors });
}

const REFUSALS: Readonly<Partial<Record<AcceptedTurn['outcome'], [ProblemCode, string]>>> = {
  busy: ['CONFLICT', 'A turn of the task is running: stop it first, or wait for its end'],
  unknown: ['NOT_FOUND', 'The task has no assistant message with this messageId'],
  unasked: ['CONFLICT', 'The task has no pending approval in this message'],
  exists: ['CONFLICT', 'The task already has a message with this id'],
};

function refusal({ outcome, retryAfterMs }: AcceptedTurn): Problem {
  if (outcome === 'capped') {
    const detail = 'The hourly message cap of the grant is reached';
    return new Problem('RATE_LIMITED', detail, { retryAfter: Math.ceil(Number(retryAfterMs ?? 1_000) / 1_000) });
  }
  const [code, detail] = REFUSALS[outcome] ?? ['INTERNAL', `The turn was ${outcome}`];
  return new Problem(code, detail);
}

import { isOpen } from '../../domain/agent/runStatus.ts';
import type { TurnStart } from '../../domain/agent/turnCalls.ts';
import { answerText, errorTextOf, UNANSWERED } from '../../domain/agent/turnEnd.ts';
import { addUsage, NO_USAGE } from '../../domain/agent/usage.ts';
import { derivedId } from '../../domain/derivedId.ts';
import { durationWritten } from '../../domain/durationWords.ts';
import type { RegionStart } from '../../domain/execution/activityCalls.ts';
import { maskSecrets } from '../../domain/execution/maskSecrets.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import type { Json } from '../../domain/json.ts';
import { stepRecord } from '../../engine/executions/stepRecords.ts';
import { findAgent } from '../../prisma/store/agent/findAgent.ts';
import { readSecrets } from '../../prisma/store/execution/secrets.ts';
import { isApprovalAwaited } from '../../prisma/store/execution/stepWaits.ts';
import { type CalledTurnState, readCalledTurn } from '../../prisma/store/turn/readCalledTurn.ts';
import { acceptChildTurn } from '../agents/childTurn.ts';
import type { ActivityServices } from '../services.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { invalid, resolveInputs } from './resolvedInputs.ts';
import { settleFailedStep, settleResult } from './stepSettlement.ts';

const TASK_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Runs the action agent.run: accepts a turn of the agent, which the execution's workflow then starts as its child. */
export async function runAgent(run: InlineRun, services: ActivityServices): Promise<InlineSettlement> {
  let resolved = resolveInputs(services, run);
  if (resolved instanceof Promise) resolved = await resolved;
  if (!resolved.ok) return settleFailedStep(attemptOf(run), resolved.failure);
  const { agentId, slug, message, taskId } = resolved.inputs as Record<string, string | null | undefined>;
  const attempt = attemptOf(run, resolved.shown);
  const refused = (failure: Failure) => settleFailedStep(attempt, failure);
  if (taskId != null && taskId !== '' && !TASK_ID.test(taskId)) {
    return refused(invalid('taskId: expected 1 to 64 letters, digits, _ and -'));
  }
  const { workspaceId, executionId, iteration } = run;
  const id = agentId || undefined;
  const named = id ?? (slug || undefined);
  if (named === undefined) return refused(invalid('agentId: expected the id of an agent, or slug'));
  const agent = await findAgent(services.database, workspaceId, executionId, id ? { id } : { slug: named });
  if (!agent) return refused({ code: 'NOT_FOUND', message: `There is no agent ${named}`, retryable: false });

  const { runId, ownTaskId } = turnOf(run);
  const { host } = run;
  const step = { executionId, nodeId: run.compiled.node.id, iteration, ...(host === undefined ? {} : { host }) };
  // The model must not see secrets.
  const text = maskSecrets(message ?? '', await readSecrets(services.database, workspaceId, executionId)) as string;
  const accepted = await acceptChildTurn(services, {
    ...{ workspaceId, agent, runId, text, name: run.label, parent: { executionId, step } },
    ...{ taskId: taskId || ownTaskId, isOwnTask: !taskId },
  });
  if (accepted.kind === 'refused') {
    return refused({ code: accepted.code, message: accepted.message, retryable: false });
  }
  return {
    record: {
      ...stepRecord(run.compiled, run.label, run.attempt, iteration),
      status: 'RUNNING',
      input: { ...resolved.shown, taskId: taskId || ownTaskId, runId },
      startedAt: attempt.startedAt.toISOString(),
    },
    outcome: { nodeId: run.compiled.node.id, status: 'TURN', start: accepted.start },
  };
}

/**
 * Settles the step when the turn has ended: its answer is the output. Otherwise the step keeps waiting for the turn,
 * for one that continues its message, or for an approval that one of them, or an agent that it called, needs.
 */
export async function settleTurn(
  services: ActivityServices,
  run: InlineRun,
  { runId, isLate }: Extract<RegionStart, { cause: 'turn' }>,
): Promise<InlineSettlement> {
  const { workspaceId, executionId, iteration, compiled } = run;
  const attempt = attemptOf(run);
  const answer = await readCalledTurn(services.database, workspaceId, runId);
  if (answer?.status === 'COMPLETED' && !answer.isUnanswered) {
    const { taskId, usages, message } = answer;
    const usage = usages.reduce(addUsage, NO_USAGE) as unknown as Json;
    const output = { taskId, runId, text: answerText(message), usage };
    return settleResult(attempt, { ok: true, output }, services.config.MAX_OUTPUT_BYTES);
  }
  if (answer && (isOpen(answer.status) || answer.status === 'NEEDS_APPROVAL')) {
    const step = { executionId, nodeId: compiled.node.id, iteration };
    const asks = answer.status === 'NEEDS_APPROVAL' || (await isApprovalAwaited(services.database, workspaceId, step));
    return waiting(run, { turn: { workspaceId, runId: answer.runId }, name: run.label, queued: true }, asks);
  }
  return settleFailedStep(attempt, failureOf(run, answer, isLate === true));
}

function waiting(run: InlineRun, start: TurnStart, asks: boolean): InlineSettlement {
  return {
    record: {
      ...stepRecord(run.compiled, run.label, run.attempt, run.iteration),
      status: asks ? 'WAITING' : 'RUNNING',
    },
    outcome: { nodeId: run.compiled.node.id, status: 'TURN', start, again: asks ? 'asks' : 'runs' },
  };
}

function failureOf(run: InlineRun, answer: CalledTurnState | undefined, isLate: boolean): Failure {
  if (isLate) {
    const message = `The agent did not answer within ${durationWritten(run.compiled.node.timeoutMs ?? 0)}, and was stopped`;
    return { code: 'TIMEOUT', message, retryable: true };
  }
  if (answer?.status === 'FAILED') {
    const { retryAfterMs } = answer.error ?? {};
    const after = retryAfterMs === undefined ? {} : { retryAfterMs };
    return { code: 'AGENT_FAILED', message: errorTextOf(answer.code), retryable: true, ...after };
  }
  const message = answer?.isUnanswered ? UNANSWERED : 'The turn of the agent was stopped';
  return { code: 'AGENT_STOPPED', message, retryable: false };
}

/** Derives the ids from the attempt of the step, so that a repeated attempt means the same turn. */
function turnOf({ executionId, compiled, iteration, attempt }: InlineRun) {
  const step = `${compiled.node.id} ${iteration}`;
  return {
    runId: derivedId(executionId, `turn ${step} ${attempt}`),
    ownTaskId: derivedId(executionId, `task ${step} ${attempt}`),
  };
}

import { activityInfo } from '@temporalio/activity';
import type { ActionTask } from '../../domain/execution/activityCalls.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { openConnection } from '../../engine/openConnection.ts';
import type { RunContext } from '../../prisma/store/execution/runContext.ts';
import { type ActionResult, failed } from '../apps/executor.ts';
import type { ActivityServices } from '../services.ts';
import { expressionScope } from './expressionScope.ts';
import { patiently } from './patiently.ts';
import { invalid, resolveInputs } from './resolvedInputs.ts';
import { type Attempt, type Settlement, settleFailure, settleResult } from './stepSettlement.ts';

/** Does the work of one attempt: inputs, connection, executor against the clock. Writes nothing. */
export async function performAction(
  services: ActivityServices,
  task: ActionTask,
  attempt: Attempt,
  context: RunContext,
  signal: AbortSignal,
): Promise<Settlement> {
  const { compiled } = attempt;
  const resolved = resolveInputs(compiled, expressionScope(task.executionId, context));
  if (!resolved.ok) return settleFailure(attempt, resolved.failure);
  const withInput: Attempt = { ...attempt, input: resolved.shown };
  const connection = await connectionOf(services, task, compiled, signal);
  if (connection === 'missing') {
    return settleFailure(
      withInput,
      invalid(`connectionId: the connection ${compiled.node.connectionId} does not exist`),
    );
  }
  const timeoutMs = compiled.node.timeoutMs ?? compiled.action?.timeoutMs ?? services.config.ACTION_TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  const result = await execute(services, compiled, timeout, signal, {
    inputs: resolved.inputs,
    ...(connection ? { connection } : {}),
    idempotencyKey: `${task.executionId}:${task.nodeId}:`,
    attempt: task.attempt,
    signal: AbortSignal.any([signal, timeout]),
  });
  if (timeout.aborted && !result.ok) {
    return settleFailure(withInput, {
      code: 'TIMEOUT',
      message: `Not finished within ${timeoutMs} ms`,
      retryable: true,
    });
  }
  return settleResult(withInput, result, services.config.MAX_OUTPUT_BYTES);
}

/** Runs the executor against the clock, also one that does not heed its signal. */
async function execute(
  services: ActivityServices,
  compiled: CompiledNode,
  timeout: AbortSignal,
  cancellation: AbortSignal,
  call: Parameters<ReturnType<ActivityServices['executorOf']>>[0],
): Promise<ActionResult> {
  const { appId = '', actionId = '' } = compiled.node;
  const stopped = new Promise<ActionResult>((resolve) => {
    const stop = () => resolve(failed('TIMEOUT', 'The action was stopped', { retryable: true }));
    timeout.addEventListener('abort', stop, { once: true });
    cancellation.addEventListener('abort', stop, { once: true });
  });
  const work = async () => services.executorOf(appId, actionId)(call);
  try {
    return await Promise.race([work(), stopped]);
  } catch (error) {
    // Its message may hold what it was given; the step's row keeps that.
    const name = error instanceof Error ? error.name : typeof error;
    services.log.error({ error: name, appId, actionId, activityId: activityInfo().activityId }, 'an action threw');
    return failed('ACTION_CRASHED', error instanceof Error ? error.message : String(error), { retryable: true });
  }
}

async function connectionOf(
  services: ActivityServices,
  task: ActionTask,
  compiled: CompiledNode,
  signal: AbortSignal,
): Promise<{ type: string; credentials: Record<string, string> } | 'missing' | undefined> {
  const { connectionId } = compiled.node;
  if (connectionId === undefined) return undefined;
  const { database, vault, log } = services;
  const found = await patiently(signal, log, () => openConnection(database, vault, task.workspaceId, connectionId));
  return found ?? 'missing';
}

import type { ActionTask } from '../../domain/execution/activityCalls.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { openConnection } from '../../engine/openConnection.ts';
import type { ActivityServices } from '../services.ts';
import { executeAction } from './executeAction.ts';
import { patiently } from './patiently.ts';
import { invalid, resolveInputs } from './resolvedInputs.ts';
import { type Attempt, type Settlement, settleFailure, settleResult } from './stepSettlement.ts';

/** Does the work of one attempt: inputs, connection, executor against the clock. Writes nothing. */
export async function performAction(
  services: ActivityServices,
  task: ActionTask,
  attempt: Attempt,
  scope: Scope,
  signal: AbortSignal,
): Promise<Settlement> {
  const { compiled } = attempt;
  const resolved = resolveInputs(compiled, scope);
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
  const result = await executeAction(
    services,
    compiled,
    {
      inputs: resolved.inputs,
      ...(connection ? { connection } : {}),
      idempotencyKey: services.stepKeys({ ...task, iteration: task.iteration ?? '' }),
      attempt: task.attempt,
    },
    { timeoutMs, cancellation: signal },
  );
  return settleResult(withInput, result, services.config.MAX_OUTPUT_BYTES);
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

import { mayRepeat } from '../../domain/app/mayRepeat.ts';
import type { ActionTask } from '../../domain/execution/activityCalls.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { attemptSpan } from '../../domain/trace/spanIds.ts';
import { inSpan } from '../../engine/tracing/work.ts';
import { answerLost } from '../answerLost.ts';
import { callAction } from '../callAction.ts';
import type { CalledAction } from '../calledAction.ts';
import type { ActivityServices } from '../services.ts';
import { connectionOfNode } from './connectionOfNode.ts';
import { keyOfStep } from './keyOfStep.ts';
import { isMissed } from './reconnect.ts';
import { resolveInputs } from './resolvedInputs.ts';
import {
  type Attempt,
  type MissedConnection,
  type Settlement,
  settleFailedStep,
  settleResult,
} from './stepSettlement.ts';
import { whileDatabaseAway } from './whileDatabaseAway.ts';

/**
 * Runs one attempt: resolves inputs, opens the connection, calls the executor with a timeout. Writes nothing.
 * `wasLost`: an earlier try was lost, which may have made the call.
 */
export async function performAction(
  services: ActivityServices,
  task: ActionTask,
  attempt: Attempt,
  { scope, lineageId, wasLost }: { scope: Scope; lineageId: string | null; wasLost: boolean },
  signal: AbortSignal,
): Promise<Settlement> {
  const { compiled } = attempt;
  const resolved = await resolveInputs(services, { workspaceId: task.workspaceId, compiled, scope });
  if (!resolved.ok) return settleFailedStep(attempt, resolved.failure);
  const withInput: Attempt = { ...attempt, input: resolved.shown };
  const { workspaceId, executionId, nodeId, iteration = '' } = task;
  const of = { workspaceId, executionId, iteration, node: compiled.node, attempt: task.attempt };
  const stoodIn = services.stepMock?.({ ...of, inputs: resolved.inputs });
  if (stoodIn) return settleResult(withInput, stoodIn, services.config.MAX_OUTPUT_BYTES);
  if (wasLost && !mayRepeat(compiled.action, compiled.customApp?.custom.runs)) {
    return settleFailedStep(withInput, answerLost(LOST_TRY));
  }
  const found = await connectionOfNode(services, task.workspaceId, compiled, signal);
  if ('failure' in found) {
    return withMissed(settleFailedStep(withInput, found.failure), isMissed(found.failure, found.connectionId));
  }
  const { connection, connectionId } = found;
  const timeoutMs = compiled.node.timeoutMs ?? compiled.action?.timeoutMs ?? services.config.ACTION_TIMEOUT_MS;
  const { appId = '', actionId = '' } = compiled.node;
  const step = { workspaceId, executionId, lineageId, nodeId, iteration };
  const keyOf = await whileDatabaseAway(signal, services.log, () => keyOfStep(services, step));
  const called: CalledAction = {
    ...{ appId, actionId, action: compiled.action, customApp: compiled.customApp },
    ...{ inputs: resolved.inputs, connection, attempt: task.attempt },
    secrets: scope.secrets,
    origin: { workspaceId, executionId, stepId: nodeId, ...(lineageId === null ? {} : { lineageId }) },
    key: keyOf(resolved.inputs),
    clock: { timeoutMs, cancellation: signal },
  };
  const result = await inSpan(attemptSpan(step, task.attempt), () => callAction(services, called));
  const settlement = settleResult(withInput, result, services.config.MAX_OUTPUT_BYTES);
  if (connectionId === undefined) return settlement;
  const missed = result.ok ? undefined : isMissed(result.failure, connectionId);
  return withMissed(withCredentials(settlement, connectionId), missed);
}

const LOST_TRY = { code: 'WORKER_LOST', message: 'The worker was lost during the call.' };

function withMissed(settlement: Settlement, missed: MissedConnection | undefined): Settlement {
  return missed ? { ...settlement, missed } : settlement;
}

/** The called service may repeat a credential in any later step, so it is masked everywhere from now on. */
function withCredentials(settlement: Settlement, connectionId: string): Settlement {
  const { record } = settlement;
  return { ...settlement, record: { ...record, secrets: [...(record.secrets ?? []), { connectionId }] } };
}

import { CancelledFailure, Context } from '@temporalio/activity';
import type { ActionResultMessage, ActionTask, Overflow } from '../../domain/execution/activityCalls.ts';
import type { Lookahead } from '../../domain/execution/lookahead.ts';
import { planNode } from '../../domain/execution/progress.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { queuedRecords, stepRecord } from '../../engine/stepRecords.ts';
import type { ProgressWrite } from '../../prisma/store/execution/progressWrite.ts';
import { beating } from '../beating.ts';
import type { ActivityServices } from '../services.ts';
import { announceRunning } from './announceRunning.ts';
import { closedStatus } from './closedStatus.ts';
import { contextFor, expressionScope, stepScope } from './expressionScope.ts';
import { endingWrite } from './iterationClosing.ts';
import { handOn, type KnownContext, knownContext } from './knownContext.ts';
import { patiently } from './patiently.ts';
import { performAction } from './performAction.ts';
import { recordedOutcome } from './recordedOutcome.ts';
import { showQueued } from './showQueued.ts';
import type { Settlement } from './stepSettlement.ts';

/** Half of the throttle (worker/tuning.ts), which alone says how soon a cancellation is heard of. */
const HEARTBEAT_MS = 200;

/**
 * One attempt of a remote action: the step is shown as running and what it names is read, the work is done, then the
 * step is written with whatever the lookahead says comes of it. An attempt that an earlier worker has finished is
 * not run again. Cancellation and shutdown write nothing: the workflow decides.
 */
export async function runAction(services: ActivityServices, task: ActionTask): Promise<ActionResultMessage | Overflow> {
  const leave = task.mayOverflow ? await services.places.enter(task.workspaceId) : () => undefined;
  if (!leave) {
    await showQueued(services, task);
    return { overflow: true };
  }
  const { cancellationSignal } = Context.current();
  try {
    return await beating(HEARTBEAT_MS, () => attempt(services, task, cancellationSignal));
  } catch (error) {
    if (cancellationSignal.aborted) throw new CancelledFailure('The activity was cancelled');
    throw error;
  } finally {
    leave();
  }
}

async function attempt(
  services: ActivityServices,
  task: ActionTask,
  signal: AbortSignal,
): Promise<ActionResultMessage> {
  const { log } = services;
  const definition = await patiently(signal, log, () => services.definitions.get(task));
  const compiled = definition.nodes.get(task.nodeId);
  if (!compiled) throw new Error(`The definition has no node ${task.nodeId}`);
  const label = planNode(definition.plan, task.nodeId).label;
  const startedAt = new Date();
  const { iteration } = task;
  const running = { ...stepRecord(compiled, label, task.attempt, iteration ?? ''), startedAt: startedAt.toISOString() };
  const known = await patiently(signal, log, () => knownContext(services, definition, compiled, task));
  const forOutput = iteration === undefined && task.completed?.ending !== undefined;
  const reads = known ?? { read: contextFor(definition, [compiled], { iteration, forOutput }) };
  const { context, settled } = await announceRunning(services, task, running, reads, signal);
  const recorded = recordedOutcome(
    task.nodeId,
    task.attempt,
    context.steps[task.nodeId],
    compiled.node.type,
    Date.now(),
  );
  if (isTerminal(context.status)) {
    return {
      outcome: recorded ?? { nodeId: task.nodeId, status: 'FAILED', code: 'EXECUTION_ENDED' },
      closed: context.status,
    };
  }
  if (recorded) return { outcome: recorded };

  const begun = { compiled, label, iteration: iteration ?? '', attempt: task.attempt, startedAt };
  let settlement: Settlement;
  try {
    settlement = await performAction(services, task, begun, expressionScope(task, context), signal);
  } finally {
    await settled();
  }
  if (signal.aborted) throw new CancelledFailure('The activity was cancelled');
  const at = { isWhole: false, ...known, context };
  return patiently(signal, log, () => record(services, task, definition, at, settlement));
}

async function record(
  services: ActivityServices,
  task: ActionTask,
  definition: CompiledDefinition,
  { context, isWhole, atOnce }: KnownContext,
  settlement: Settlement,
): Promise<ActionResultMessage> {
  const { outcome } = settlement;
  const next = lookaheadOf(task, outcome.status);
  const queued = queuedRecords(definition, next?.queue ?? [], task.iteration ?? '');
  const write: ProgressWrite = { steps: [settlement.record, ...queued] };
  if (next?.ending) {
    const scope = expressionScope(task, context);
    scope.steps[task.nodeId] = stepScope(settlement.record.output ?? null, settlement.record.error);
    Object.assign(write, await endingWrite(services, task, definition, next.ending, scope));
  }
  const change = await services.writer.record(task.workspaceId, task.executionId, write, atOnce);
  if (!change) return { outcome, closed: await closedStatus(services, task) };
  const { revision } = change;
  if (isWhole && next && !next.ending) handOn(services, definition, task, revision, { context, written: write.steps });
  return {
    outcome,
    ...(write.close ? { closed: write.close.status } : {}),
    ...(write.iterations?.[0] ? { iterationEnded: write.iterations[0].status } : {}),
    revision,
  };
}

function lookaheadOf(task: ActionTask, status: Settlement['outcome']['status']): Lookahead | undefined {
  if (status === 'COMPLETED') return task.completed;
  return status === 'FAILED' ? task.failed : undefined;
}

import { activityInfo, Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { mayRepeat } from '../../domain/app/mayRepeat.ts';
import type { ActionResultMessage, ActionTask, Overflow } from '../../domain/execution/activityCalls.ts';
import { lookaheadOf } from '../../domain/execution/lookahead.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { ownMember, setKey } from '../../domain/ownMember.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { planNode } from '../../domain/workflow/planIndex.ts';
import { ExecutionGone } from '../../engine/executions/executionGone.ts';
import { contextFor, expressionScope, stepScope } from '../../engine/executions/expressionScope.ts';
import { queuedRecords, stepRecord } from '../../engine/executions/stepRecords.ts';
import type { ProgressWrite } from '../../prisma/store/execution/progressWrite.ts';
import { type RunContext, readRunContext } from '../../prisma/store/execution/runContext.ts';
import { ANSWER_LOST } from '../answerLost.ts';
import { failsAgain } from '../guardedActivity.ts';
import type { ActivityServices } from '../services.ts';
import { atBegin } from './atBegin.ts';
import { endStatusOf } from './endExecution.ts';
import { heldSignal } from './heldSignal.ts';
import { knownContext } from './knownContext.ts';
import { iterationEnd } from './loopOutput.ts';
import { performAction } from './performAction.ts';
import { endWait, settleMissed } from './reconnect.ts';
import { recordedOutcome } from './recordedOutcome.ts';
import { runTry, type Try } from './runTry.ts';
import { scopeEndWrite } from './scopeEnd.ts';
import { beginAndRead, showQueued, showRunning } from './showSteps.ts';
import { type Attempt, type Settlement, settleFailedStep } from './stepSettlement.ts';
import { whileDatabaseAway } from './whileDatabaseAway.ts';

/**
 * Runs one attempt of a remote action. Shows the step as RUNNING if that takes some time, and writes it with the
 * consequences in the lookahead. While the database is away, holds the result without a time limit. An attempt that an
 * earlier worker has finished does not run again. Cancellation and shutdown write nothing for work that they stop: the
 * workflow decides. Work that is done by then is written, since a retry would repeat it.
 */
export function runAction(services: ActivityServices, task: ActionTask): Promise<ActionResultMessage | Overflow> {
  return runTry(services.config, async (signal, its) => {
    const { places } = services;
    const { workspaceId, mayOverflow = false } = task;
    if (mayOverflow && !(await places.enter(workspaceId))) {
      await showQueued(services, task);
      return { overflow: true };
    }
    try {
      return await attempt(services, task, signal, its);
    } finally {
      if (mayOverflow) places.leave(workspaceId);
    }
  });
}

async function attempt(
  services: ActivityServices,
  task: ActionTask,
  signal: AbortSignal,
  its: Try,
): Promise<ActionResultMessage> {
  const { log } = services;
  const definition = await whileDatabaseAway(signal, log, () => services.definitions.get(task));
  const compiled = definition.nodes.get(task.nodeId);
  if (!compiled) throw new Error(`The definition has no node ${task.nodeId}`);
  const label = planNode(definition.plan, task.nodeId).label;
  const startedAt = new Date();
  const { iteration } = task;
  const running = { ...stepRecord(compiled, label, task.attempt, iteration ?? ''), startedAt: startedAt.toISOString() };
  const known = await whileDatabaseAway(signal, log, () => knownContext(services, definition, compiled, task));
  // A later attempt needs the time at which the first one began, so that is stored before the action is called. A repeated
  // delivery may fail each time before it is shown, as in a build without the action.
  const isShownFirst = compiled.now || activityInfo().attempt > 1;
  const context =
    known?.context ??
    (await whileDatabaseAway(signal, log, () =>
      readOwnContext(services, task, definition, compiled, isShownFirst ? running : undefined),
    ));
  const recorded = recordedOutcome(
    task.nodeId,
    task.attempt,
    ownMember(context.steps, task.nodeId),
    compiled.node.type,
    Date.now(),
  );
  if (isTerminal(context.status)) {
    return {
      outcome: recorded ?? { nodeId: task.nodeId, status: 'FAILED', code: 'EXECUTION_ENDED' },
      endStatus: context.status,
    };
  }
  if (recorded) return { outcome: recorded };

  services.tracing.noteExecution(task.executionId, context.trace);
  const begun: Attempt = { compiled, label, iteration: iteration ?? '', attempt: task.attempt, startedAt };
  const { lineageId } = context;
  const scope = await whileDatabaseAway(signal, log, async () => scopeOf(services, task, context, definition, begun));
  const performed = { scope, lineageId, wasLost: its.lost > 0 };
  const settled = isShownFirst ? undefined : showRunning(services, task, running);
  let settlement: Settlement;
  let isStopped: boolean;
  try {
    settlement = await performAction(services, task, begun, performed, signal);
    if (settlement.missed)
      settlement = await settleMissed(services, task, begun, settlement, settlement.missed, signal);
    if (settlement.outcome.status !== 'RECONNECT') await endWait(services, task, signal);
    // The result of a stopped action is not its own, unless its call may have happened.
    isStopped = signal.aborted && !isDone(settlement);
    noteCall(its, compiled, settlement);
  } finally {
    await settled?.();
  }
  const isCancelled =
    Context.current().cancellationDetails?.cancelRequested && settlement.outcome.status !== 'COMPLETED';
  if (isStopped || isCancelled) throw new CancelledFailure('The activity was cancelled');
  const at = { ...known, context };
  const held = heldSignal(signal, services.config.DRAIN_TIMEOUT_MS / 4);
  const write = (settled: Settlement) =>
    whileDatabaseAway(held, log, () => record(services, task, definition, at, settled));
  try {
    return await write(settlement);
  } catch (error) {
    if (!failsAgain(error)) throw error;
    // Every try would be rejected, and would repeat the work.
    log.error({ err: error, executionId: task.executionId, nodeId: task.nodeId }, 'a result that cannot be written');
    return write(settleFailedStep(begun, REFUSED));
  }
}

/** An end of the try before its result is written must not repeat the call. */
function noteCall(its: Try, { action, customApp }: CompiledNode, settlement: Settlement): void {
  if (isDone(settlement) && !mayRepeat(action, customApp?.custom.runs)) its.countAsLost();
}

function isDone({ outcome }: Settlement): boolean {
  return outcome.status === 'COMPLETED' || (outcome.status === 'FAILED' && outcome.code === ANSWER_LOST);
}

/** Also writes `running`, if any. */
async function readOwnContext(
  services: ActivityServices,
  task: ActionTask,
  definition: CompiledDefinition,
  compiled: CompiledNode,
  running: StepRecord | undefined,
): Promise<RunContext> {
  const { workspaceId, executionId, iteration } = task;
  const forOutput = iteration === undefined && task.completed?.ending !== undefined;
  const reads = contextFor(definition, [compiled], { iteration, forOutput });
  if (running) return beginAndRead(services, task, running, reads);
  const context = await readRunContext(services.database, workspaceId, executionId, reads);
  if (!context) throw new ExecutionGone(`execution ${executionId}`);
  return context;
}

function scopeOf(
  services: ActivityServices,
  task: ActionTask,
  context: RunContext,
  definition: CompiledDefinition,
  { compiled, iteration, startedAt }: Attempt,
): Scope | Promise<Scope> {
  const scope = expressionScope(services, definition, task, context);
  if (!compiled.now) return scope;
  const { workspaceId, executionId, nodeId } = task;
  const { lineageId, steps } = context;
  const step = { workspaceId, executionId, iteration, lineageId };
  const begun = ownMember(steps, nodeId)?.startedAt;
  return atBegin(services, compiled, step, scope, { begun, startedAt });
}

const REFUSED: Failure = {
  code: 'OUTPUT_NOT_STORABLE',
  message: 'The output cannot be stored: the database refuses it',
  retryable: false,
};

async function record(
  services: ActivityServices,
  task: ActionTask,
  definition: CompiledDefinition,
  { context, atOnce = 1 }: { context: RunContext; atOnce?: number },
  settlement: Settlement,
): Promise<ActionResultMessage> {
  const { outcome } = settlement;
  const next = lookaheadOf(task, outcome.status);
  const queued = queuedRecords(definition, next?.queue ?? [], task.iteration ?? '');
  const write: ProgressWrite = { steps: [settlement.record, ...queued] };
  if (next?.ending) {
    const scope = expressionScope(services, definition, task, context);
    setKey(scope.steps, task.nodeId, stepScope(settlement.record.output ?? null, settlement.record.error));
    Object.assign(write, await scopeEndWrite(services, task, definition, next.ending, scope));
  }
  const change = await services.writer.record(task.workspaceId, task.executionId, write, atOnce);
  if (!change) return { outcome, endStatus: await endStatusOf(services, task) };
  const { MAX_OUTPUT_BYTES } = services.config;
  return {
    outcome,
    ...(write.end ? { endStatus: write.end.status } : {}),
    ...iterationEnd(definition, task.iteration, write.iterations?.[0], change, MAX_OUTPUT_BYTES),
  };
}

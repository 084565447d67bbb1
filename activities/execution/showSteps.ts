import type { ActionTask, ShowPauseCall } from '../../domain/execution/activityCalls.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import { planNode } from '../../domain/workflow/planIndex.ts';
import { ExecutionGone } from '../../engine/executions/executionGone.ts';
import { queuedRecords, stepRecord } from '../../engine/executions/stepRecords.ts';
import { beginAction } from '../../prisma/store/execution/beginAction.ts';
import type { ContextSelection, RunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { whileDatabaseAway } from './whileDatabaseAway.ts';

/** An action that ends within this time is never written as running. */
const QUICK_MS = 25;

export interface ShownRunning {
  context: RunContext;
  /** Stops the announcement and waits for its write. Call it before writing the step's end. */
  settled(): Promise<void>;
}

/**
 * Shows the step as running. Without a context, the same statement reads the values of its expressions and its earlier
 * row. With a context, the row is written only if the action takes some time.
 */
export async function showRunning(
  services: ActivityServices,
  task: ActionTask,
  running: StepRecord,
  known: { context: RunContext } | { read: ContextSelection },
  signal: AbortSignal,
): Promise<ShownRunning> {
  if ('read' in known) return showAndRead(services, task, running, known.read, signal);
  let writing: Promise<void> = Promise.resolve();
  const timer = setTimeout(() => {
    writing = showLate(services, task, running);
  }, QUICK_MS);
  const settled = () => {
    clearTimeout(timer);
    return writing;
  };
  return { context: known.context, settled };
}

async function showAndRead(
  services: ActivityServices,
  task: ActionTask,
  running: StepRecord,
  reads: ContextSelection,
  signal: AbortSignal,
): Promise<ShownRunning> {
  const { database, log } = services;
  const begin = () =>
    whileDatabaseAway(signal, log, () => beginAction(database, task.workspaceId, task.executionId, running, reads));
  let begun = await begin();
  // The execution ended between the read and the write of that statement: the second one reads the end.
  if (begun && !begun.change && !isTerminal(begun.context.status)) begun = await begin();
  if (!begun) throw new ExecutionGone(`execution ${task.executionId}`);
  if (begun.change) services.feed.publish(begun.change);
  return { context: begun.context, settled: () => Promise.resolve() };
}

/** If this fails, the step continues and is shown as queued until it ends. */
async function showLate({ writer, log }: ActivityServices, task: ActionTask, running: StepRecord) {
  try {
    await writer.record(task.workspaceId, task.executionId, { steps: [running] });
  } catch (error) {
    log.warn({ err: error, executionId: task.executionId }, 'a running step could not be shown');
  }
}

/** Shows that the loop waits until `wakeAt` for its next iteration, or continues. */
export async function showPause(services: ActivityServices, call: ShowPauseCall): Promise<void> {
  const { workspaceId, executionId, iteration = '', nodeId, wakeAt } = call;
  const definition = await services.definitions.get(call);
  const compiled = definition.nodes.get(nodeId);
  if (!compiled) throw new Error(`The definition has no node ${nodeId}`);
  const record = stepRecord(compiled, planNode(definition.plan, nodeId).label, 1, iteration);
  await services.writer.record(workspaceId, executionId, {
    steps: [wakeAt === undefined ? record : { ...record, status: 'WAITING', wakeAt: new Date(wakeAt).toISOString() }],
  });
}

/**
 * Shows the step as queued, unless an earlier write has done so, and thus the execution as running. Continues if this
 * fails: people see the step as pending until its action begins.
 */
export async function showQueued({ definitions, writer, log }: ActivityServices, task: ActionTask): Promise<void> {
  if (task.attempt > 1) return;
  try {
    const steps = queuedRecords(await definitions.get(task), [task.nodeId], task.iteration ?? '');
    await writer.record(task.workspaceId, task.executionId, { steps });
  } catch (error) {
    log.warn({ err: error, executionId: task.executionId }, 'a queued step could not be shown');
  }
}

import type { ActionTask, ShowPauseCall } from '../../domain/execution/activityCalls.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import { planNode } from '../../domain/workflow/planIndex.ts';
import { ExecutionGone } from '../../engine/executions/executionGone.ts';
import { queuedRecords, stepRecord } from '../../engine/executions/stepRecords.ts';
import { beginAction } from '../../prisma/store/execution/beginAction.ts';
import type { ContextSelection, RunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';

/** An action that ends within this time is never written as running. */
const QUICK_MS = 25;

/**
 * Shows the step as running if its action takes some time. The returned function stops the announcement and waits for
 * its write; call it before writing the step's end.
 */
export function showRunning(services: ActivityServices, task: ActionTask, running: StepRecord): () => Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  const timer = setTimeout(() => {
    writing = showLate(services, task, running);
  }, QUICK_MS);
  return () => {
    clearTimeout(timer);
    return writing;
  };
}

/** Shows the step as running before its action begins, and reads the context with the rows as they were before. */
export async function beginAndRead(
  { database, feed }: ActivityServices,
  { workspaceId, executionId }: ActionTask,
  running: StepRecord,
  reads: ContextSelection,
): Promise<RunContext> {
  const begin = () => beginAction(database, workspaceId, executionId, running, reads);
  let begun = await begin();
  // The execution ended between the read and the write of that statement: the second one reads the end.
  if (begun && !begun.change && !isTerminal(begun.context.status)) begun = await begin();
  if (!begun) throw new ExecutionGone(`execution ${executionId}`);
  if (begun.change) feed.publish(begun.change);
  return begun.context;
}

/** If this fails, the step continues and is shown as queued until it ends. */
async function showLate({ writer, log }: ActivityServices, task: ActionTask, running: StepRecord) {
  try {
    await writer.record(task.workspaceId, task.executionId, { steps: [running] });
  } catch (error) {
    log.warn({ err: error, executionId: task.executionId }, 'a running step could not be shown');
  }
}

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

import type { ActionTask } from '../../domain/execution/activityCalls.ts';
import { queuedRecords } from '../../engine/stepRecords.ts';
import type { ActivityServices } from '../services.ts';

/**
 * Shows the step as queued, unless a write before has shown it, and so the execution as running. It goes on also when
 * this fails: people see it as pending until its action begins.
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

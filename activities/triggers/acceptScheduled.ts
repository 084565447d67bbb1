import type { AcceptedChild } from '../../domain/execution/childExecution.ts';
import type { ScheduledStart } from '../../domain/execution/triggerCalls.ts';
import { acceptChild } from '../execution/acceptChild.ts';
import type { ActivityServices } from '../services.ts';

/** The same time always gives the same execution. */
export async function acceptScheduled(
  services: ActivityServices,
  { workspaceId, workflowId, scheduledAt, firedAt }: ScheduledStart,
): Promise<AcceptedChild> {
  const executionId = services.executionIds(workflowId, `schedule ${scheduledAt}`, Date.parse(scheduledAt));
  const trigger = { scheduledAt, firedAt };
  return acceptChild(services, { workspaceId, workflowId, executionId, startedBy: 'schedule', trigger });
}

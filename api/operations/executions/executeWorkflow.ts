import { checkFieldValues } from '../../../domain/fieldValues.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import type { TriggerNode } from '../../../domain/workflow/definition.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import type { Operation } from '../../operation.ts';

export const executeWorkflow: Operation<'executeWorkflow'> = async ({ caller, params, body, services, ...request }) => {
  const { workflowId } = params;
  const start = { executionId: request.resourceId, requestId: request.requestId };
  const started = isUuid(workflowId)
    ? await services.starter.startWorkflow(caller.workspaceId, workflowId, start, (head, { trigger }) => {
        if (!head.isActive) throw new Problem('WORKFLOW_NOT_EXECUTABLE', 'The workflow is not active');
        return { trigger: triggerValue(trigger, (body?.inputData ?? {}) as JsonObject), isAwaited: false };
      })
    : undefined;
  if (!started) throw new Problem('NOT_FOUND', `There is no workflow ${workflowId}`);
  return { executionId: start.executionId };
};

function triggerValue(trigger: TriggerNode, inputData: JsonObject): JsonObject {
  if (trigger.type === 'schedule') {
    // By hand instead of by the clock: what the workflow knows of its time is now.
    const now = new Date().toISOString();
    return { ...inputData, scheduledAt: now, firedAt: now };
  }
  if (trigger.type !== 'manual') {
    const detail = `The workflow starts by ${trigger.type}; expected a manual or scheduled trigger`;
    throw new Problem('WORKFLOW_NOT_EXECUTABLE', detail);
  }
  const { values, problems } = checkFieldValues(trigger.config.fields ?? [], inputData, 'keep');
  if (problems.length > 0) {
    const errors = problems.map((each) => ({ ...each, path: `inputData.${each.path}` }));
    throw new Problem('VALIDATION_FAILED', 'The input does not fit the fields of the trigger', { errors });
  }
  return values;
}

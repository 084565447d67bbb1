import type { JsonObject } from '../../../domain/json.ts';
import type { TriggerNode } from '../../../domain/workflow/definition.ts';
import { credentialOf } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import { requireRoom, triggerValue } from '../executions/executeWorkflow.ts';
import { checkUpsert, refuseUpsert, type UpsertBody } from '../workflows/checkUpsert.ts';
import { draftPlace, noDraft, requireWorkflow } from './shownDraft.ts';

export const executeWorkflowDraft: Operation<'executeWorkflowDraft'> = async ({ caller, params, body, ...request }) => {
  const { services, requestId, resourceId: executionId } = request;
  const { workspaceId } = caller;
  const workflow = await requireWorkflow(services, workspaceId, params.workflowId);
  const { draft } = workflow;
  if (!draft) throw noDraft();
  const checked = await checkUpsert(draft.body as UpsertBody, services, { ...draftPlace(caller, workflow), caller });
  const { definition } = checked;
  if (!definition) return refuseUpsert(checked.problems);
  const trigger = sampleOf(definition.trigger, (body?.inputData ?? {}) as JsonObject);
  requireRoom(await services.definitions.compile(workspaceId, definition), body?.labels);
  const start = { executionId, requestId, startedBy: { type: 'draft', by: credentialOf(caller) } } as const;
  await services.starter.startDraft(workspaceId, { workflow, definition }, start, { trigger, labels: body?.labels });
  return { executionId };
};

/** A sample of what a webhook, a poll or a queue delivers is taken as it is. */
function sampleOf(trigger: TriggerNode, input: JsonObject): JsonObject {
  return trigger.type === 'manual' || trigger.type === 'schedule' ? triggerValue(trigger, input) : input;
}

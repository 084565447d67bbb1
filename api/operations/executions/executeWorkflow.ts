import { type Labels, MAX_LABELS, NO_LABELS } from '../../../domain/execution/labels.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { inPath } from '../../../domain/place.ts';
import { Problem } from '../../../domain/problem.ts';
import type { CompiledDefinition } from '../../../domain/workflow/compile.ts';
import type { TriggerNode } from '../../../domain/workflow/definition.ts';
import { startInput } from '../../../domain/workflow/startInput.ts';
import type { Admitted, FoundWorkflow } from '../../../engine/executions/starter.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { findWorkflowInProject } from '../../../prisma/store/workflow/findWorkflow.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import { type Caller, startedByCaller } from '../../access/caller.ts';
import type { Operation, OperationRequest } from '../../operation.ts';

type StartRequest = Pick<OperationRequest<'executeWorkflow'>, 'body' | 'services' | 'resourceId' | 'requestId'> & {
  caller: Caller;
};

export const executeWorkflow: Operation<'executeWorkflow'> = (request) =>
  startWorkflow(request, request.params.workflowId);

export const executeWorkflowBySlug: Operation<'executeWorkflowBySlug'> = async (request) => {
  const { caller, params, services } = request;
  const workflowId = await findWorkflowInProject(services.database, caller.workspaceId, params.projectId, params.slug);
  if (workflowId === undefined) throw new Problem('NOT_FOUND', NO_WORKFLOW);
  return startWorkflow(request, workflowId);
};

const NO_WORKFLOW = 'There is no such workflow: expected a project by id or slug, and the slug of one of its workflows';

async function startWorkflow({ caller, body, services, ...request }: StartRequest, workflowId: string) {
  const startedBy = startedByCaller(caller);
  const start = { executionId: request.resourceId, requestId: request.requestId, startedBy };
  const { starter } = services;
  const { workspaceId } = caller;
  const { executionId } = start;
  let found = await starter.look(workspaceId, workflowId);
  for (; found; found = await starter.look(workspaceId, workflowId, 'rows')) {
    const outcome = await starter.start(found, start, admit(found, body));
    if (outcome !== 'stale') return { executionId };
  }
  throw notFound(WORKFLOW);
}

async function admit(
  { head, definition }: FoundWorkflow,
  body: OperationRequest<'executeWorkflow'>['body'],
): Promise<Admitted> {
  if (!head.isActive) throw new Problem('WORKFLOW_NOT_EXECUTABLE', 'The workflow is not active');
  const trigger = triggerValue(definition.trigger, (body?.inputData ?? {}) as JsonObject);
  requireRoom(definition, body?.labels);
  return { trigger, isAwaited: false, refusesCircle: true, labels: body?.labels };
}

/** Labels of the body override those of the definition; both together count against the limit. */
export function requireRoom({ labels: own }: Pick<CompiledDefinition, 'labels'>, given: Labels = NO_LABELS): void {
  const count = new Set([...(own?.keys() ?? []), ...Object.keys(given)]).size;
  if (count <= MAX_LABELS) return;
  const message = `with those of the workflow ${count} labels, at most ${MAX_LABELS} are allowed`;
  throw new Problem('VALIDATION_FAILED', `labels: ${message}`, { errors: [{ path: 'labels', message }] });
}

export function triggerValue(trigger: TriggerNode, inputData: JsonObject): JsonObject {
  const started = startInput(trigger, inputData, new Date());
  if (started.trigger) return started.trigger;
  if (started.refusal !== undefined) throw new Problem('WORKFLOW_NOT_EXECUTABLE', started.refusal);
  const errors = started.problems.map((each) => ({ ...each, path: inPath('inputData', each.path) }));
  throw new Problem('VALIDATION_FAILED', 'The input does not match the fields of the trigger', { errors });
}

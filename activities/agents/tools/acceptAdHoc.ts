import { activityInfo } from '@temporalio/activity';
import type { ChildStart } from '../../../domain/execution/childExecution.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { executionArguments } from '../../../engine/executions/executionArguments.ts';
import { traceHere } from '../../../engine/tracing/work.ts';
import { createAdHocExecution } from '../../../prisma/store/execution/createExecution.ts';
import type { ActivityServices } from '../../services.ts';

interface AdHoc {
  workspaceId: string;
  executionId: string;
  name: string;
  definition: Definition;
  trigger: JsonObject;
}

/** The calling workflow starts the execution as a child. Repeating it with the same id returns the same start. */
export async function acceptAdHoc(
  { database, definitions }: ActivityServices,
  { workspaceId, executionId, name, definition, trigger }: AdHoc,
): Promise<ChildStart> {
  const starterId = activityInfo().workflowExecution?.workflowId;
  if (starterId === undefined) throw new Error('A child is accepted for a workflow');
  const { variables } = await definitions.add(workspaceId, executionId, definition);
  const requestId = starterId;
  await createAdHocExecution(database, workspaceId, {
    ...{ id: executionId, name, definition, trigger, variables, requestId, starterId, startedBy: { type: 'agent' } },
    trace: traceHere(),
  });
  return {
    executionId,
    name,
    args: executionArguments({ workspaceId, executionId }),
    owner: { workspaceId, source: 'SDK' },
  };
}

import type { Database } from '../../client.ts';
import type { CreatedWorkflowExecution, NewExecution } from './createExecution.ts';

export interface NewChildExecution extends Omit<NewExecution, 'requestId'> {
  parentExecutionId?: string | undefined;
  /** The engine's id of the workflow that starts it. */
  starterId: string;
  requestId?: string | undefined;
}

/** As createWorkflowExecution, for an execution that another workflow starts. */
export async function acceptChildExecution(
  database: Database,
  workspaceId: string,
  { workflowId, versionId }: { workflowId: string; versionId: string },
  execution: NewChildExecution,
): Promise<Pick<CreatedWorkflowExecution, 'timeoutMs' | 'held' | 'limited'> | undefined> {
  const { id, trigger, variables, requestId = null, parentExecutionId = null, starterId } = execution;
  const names = variables === 'all' ? null : variables.names;
  // Raw: the check and the start are one call of a function.
  const [row] = await database.$queryRaw<Pick<CreatedWorkflowExecution, 'timeoutMs' | 'held' | 'limited'>[]>`
    SELECT "timeoutMs", held, limited FROM accept_child_execution(${workspaceId}::uuid, ${workflowId}::uuid, ${versionId}::uuid, ${id}::uuid,
      ${JSON.stringify(trigger)}::jsonb, ${names}::text[], ${requestId}, ${parentExecutionId}::uuid,
      ${starterId})`;
  return row;
}

import type { StartedByType } from '../../../domain/execution/startedBy.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { CreatedWorkflowExecution, NewExecution } from './createExecution.ts';
import { keepSecrets, rootOf } from './secrets.ts';

export interface NewChildExecution extends Omit<NewExecution, 'requestId' | 'startedBy'> {
  startedBy: StartedByType;
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
  const { id, trigger, variables, requestId = null, startedBy, parentExecutionId = null, starterId } = execution;
  const { secrets = [] } = execution;
  const names = variables === 'all' ? null : variables.names;
  const call = Prisma.sql`accept_child_execution(${workspaceId}::uuid, ${workflowId}::uuid, ${versionId}::uuid,
      ${id}::uuid, ${JSON.stringify(trigger)}::jsonb, ${names}::text[], ${requestId}, ${startedBy},
      ${parentExecutionId}::uuid, ${starterId})`;
  const root = parentExecutionId === null ? Prisma.sql`${id}::uuid` : rootOf(workspaceId, parentExecutionId);
  // Raw: the check and the start are one call of a function.
  const [row] = await database.$queryRaw<Pick<CreatedWorkflowExecution, 'timeoutMs' | 'held' | 'limited'>[]>(
    secrets.length === 0
      ? Prisma.sql`SELECT "timeoutMs", held, limited FROM ${call}`
      : Prisma.sql`WITH c AS MATERIALIZED (SELECT * FROM ${call}),
          secrets AS (${keepSecrets(workspaceId, root, secrets, Prisma.sql`1 FROM c`)})
        SELECT "timeoutMs", held, limited FROM c`,
  );
  return row;
}

import type { Database } from '../../client.ts';

export interface AcceptedExecution {
  name: string;
  projectId: string;
  workflowId: string;
  versionId: string;
}

/** A workflow's execution as it was accepted; undefined where there is none of this id. */
export async function readAcceptedExecution(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<AcceptedExecution | undefined> {
  const [row] = await database.$queryRaw<AcceptedExecution[]>`
    SELECT name, project_id AS "projectId", workflow_id AS "workflowId", version_id AS "versionId" FROM executions
    WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND version_id IS NOT NULL`;
  return row;
}

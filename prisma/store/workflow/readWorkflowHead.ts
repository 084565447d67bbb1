import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** What a start needs to know of a workflow. */
export interface WorkflowHead {
  id: string;
  workspaceId: string;
  projectId: string;
  name: string;
  isActive: boolean;
  isInternal: boolean;
  timeoutMs: number | null;
  versionId: string;
}

/** `workspaceId` undefined: for webhooks, whose callers have none. */
export async function readWorkflowHead(
  database: Database,
  workspaceId: string | undefined,
  workflowId: string,
): Promise<WorkflowHead | undefined> {
  const own = workspaceId === undefined ? Prisma.empty : Prisma.sql`AND workspace_id = ${workspaceId}::uuid`;
  const [row] = await database.$queryRaw<WorkflowHead[]>`
    SELECT id, workspace_id AS "workspaceId", project_id AS "projectId", name, is_active AS "isActive",
      is_internal AS "isInternal", timeout_ms::float8 AS "timeoutMs", version_id AS "versionId"
    FROM workflows WHERE id = ${workflowId}::uuid ${own}`;
  return row;
}

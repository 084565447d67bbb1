import type { Database } from '../../client.ts';

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
  const head = await database.workflow.findUnique({
    where: { id: workflowId, ...(workspaceId === undefined ? {} : { workspaceId }) },
    select: {
      ...{ id: true, workspaceId: true, projectId: true, name: true, isActive: true, isInternal: true },
      ...{ timeoutMs: true, versionId: true },
    },
  });
  return head ? { ...head, timeoutMs: head.timeoutMs === null ? null : Number(head.timeoutMs) } : undefined;
}

import type { Database } from '../../client.ts';

/** Where a workflow stands; undefined where the workspace has none of this id. */
export async function readWorkflowPlace(
  database: Database,
  workspaceId: string,
  workflowId: string,
): Promise<{ projectId: string; slug: string } | undefined> {
  const where = { id: workflowId, workspaceId };
  return (await database.workflow.findUnique({ where, select: { projectId: true, slug: true } })) ?? undefined;
}

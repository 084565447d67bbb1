import type { Database } from '../../client.ts';

/** For metrics, over all workspaces; undefined if the workflow is gone. */
export async function slugOfWorkflow(database: Database, workflowId: string): Promise<string | undefined> {
  const row = await database.workflow.findUnique({ where: { id: workflowId }, select: { slug: true } });
  return row?.slug ?? undefined;
}

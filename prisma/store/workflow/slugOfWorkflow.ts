import type { Database } from '../../client.ts';

/** Of a workflow of any workspace, for metrics; undefined if it is gone. */
export async function slugOfWorkflow(database: Database, workflowId: string): Promise<string | undefined> {
  const row = await database.workflow.findUnique({ where: { id: workflowId }, select: { slug: true } });
  return row?.slug ?? undefined;
}

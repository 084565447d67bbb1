import type { Database } from '../../client.ts';

/** Whether somebody wants the turn to stop, or it has ended. */
export async function isStopRequested(database: Database, workspaceId: string, runId: string): Promise<boolean> {
  const row = await database.taskRun.findFirst({
    where: { id: runId, workspaceId },
    select: { status: true, stopRequestedAt: true },
  });
  return row === null || row.status !== 'RUNNING' || row.stopRequestedAt !== null;
}

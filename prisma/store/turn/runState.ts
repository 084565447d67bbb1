import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Returns NEEDS_APPROVAL even after another turn has continued its message. Undefined if there is no such turn. */
export async function readRunStatus(
  database: Database,
  workspaceId: string,
  runId: string,
): Promise<RunStatus | undefined> {
  const [row] = await database.$queryRaw<{ status: RunStatus }[]>`
    SELECT CASE WHEN r.status = 'COMPLETED' AND EXISTS (
        SELECT FROM task_runs n WHERE n.task_id = r.task_id AND n.message_id = r.message_id AND n.number > r.number)
      THEN 'NEEDS_APPROVAL' ELSE r.status END AS status
    FROM task_runs r WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid`;
  return row?.status;
}

export async function isStopRequested(database: Database, workspaceId: string, runId: string): Promise<boolean> {
  const row = await database.taskRun.findFirst({
    where: { id: runId, workspaceId },
    select: { status: true, stopRequestedAt: true },
  });
  return row === null || row.status !== 'RUNNING' || row.stopRequestedAt !== null;
}

/** Whether this attempt has ended the step: its write may have succeeded although its response was lost. */
export async function isStepFinished(
  database: Database,
  workspaceId: string,
  { runId, step, attempt }: { runId: string; step: number; attempt: number },
): Promise<boolean> {
  // Raw: searches the steps of the run. A later attempt would have another number.
  const [row] = await database.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT steps @> ${JSON.stringify([{ step }])}::jsonb AS found FROM task_runs
    WHERE id = ${runId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'RUNNING' AND attempt = ${attempt}::int`);
  return row?.found ?? false;
}

import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Undefined where there is no such turn. */
export async function readRunStatus(
  database: Database,
  workspaceId: string,
  runId: string,
): Promise<RunStatus | undefined> {
  const row = await database.taskRun.findFirst({ where: { id: runId, workspaceId }, select: { status: true } });
  return row?.status as RunStatus | undefined;
}

/** Whether somebody wants the turn to stop, or it has ended. */
export async function isStopRequested(database: Database, workspaceId: string, runId: string): Promise<boolean> {
  const row = await database.taskRun.findFirst({
    where: { id: runId, workspaceId },
    select: { status: true, stopRequestedAt: true },
  });
  return row === null || row.status !== 'RUNNING' || row.stopRequestedAt !== null;
}

/** Whether this attempt has ended the step: its write has come through, though its answer may have been lost. */
export async function isStepFinished(
  database: Database,
  workspaceId: string,
  { runId, step, attempt }: { runId: string; step: number; attempt: number },
): Promise<boolean> {
  // Raw: a step among those of the run. A later attempt would have another number.
  const [row] = await database.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT steps @> ${JSON.stringify([{ step }])}::jsonb AS found FROM task_runs
    WHERE id = ${runId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'RUNNING' AND attempt = ${attempt}::int`);
  return row?.found ?? false;
}

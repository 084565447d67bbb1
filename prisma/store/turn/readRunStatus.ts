import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { Database } from '../../client.ts';

/** Undefined where there is no such turn. */
export async function readRunStatus(
  database: Database,
  workspaceId: string,
  runId: string,
): Promise<RunStatus | undefined> {
  const row = await database.taskRun.findFirst({ where: { id: runId, workspaceId }, select: { status: true } });
  return row?.status as RunStatus | undefined;
}

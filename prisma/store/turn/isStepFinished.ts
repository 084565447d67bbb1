import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Whether this attempt has ended the step: its write has come through, though its answer may have been lost. */
export async function isStepFinished(
  database: Database,
  workspaceId: string,
  { runId, step, attempt }: { runId: string; step: number; attempt: number },
): Promise<boolean> {
  // Raw: a step among those of the run. A later attempt of it would have another number.
  const [row] = await database.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT steps @> ${JSON.stringify([{ step }])}::jsonb AS found FROM task_runs
    WHERE id = ${runId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'RUNNING' AND attempt = ${attempt}::int`);
  return row?.found ?? false;
}

import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun, type WrittenRun } from './notifyTurn.ts';

export interface StoppingRun extends WrittenRun {
  runId: string;
}

/** Asks the running turn of a task to stop. Undefined if none runs, or it is not `runId`. */
export async function requestStop(
  database: Database,
  workspaceId: string,
  taskId: string,
  runId?: string,
): Promise<StoppingRun | undefined> {
  const notified = notifyOfRun(Prisma.sql`r.id`, Prisma.sql`r.revision`, Prisma.sql`r.status`);
  const [row] = await rowsOf<StoppingRun>(
    database,
    Prisma.sql`
    WITH r AS (
      UPDATE task_runs SET stop_requested_at = COALESCE(stop_requested_at, now()), revision = revision + 1
      WHERE task_id = ${taskId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'RUNNING'
        AND (${runId ?? null}::text IS NULL OR id::text = ${runId ?? null})
      RETURNING id, revision, status
    )
    SELECT r.id AS "runId", r.revision, r.status, ${notified} FROM r`,
  );
  return row;
}

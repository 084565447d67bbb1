import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun, type WrittenRun } from './notifyTurn.ts';

/** Requests a stop of this turn; a queued turn ends at once. Undefined if it has ended already. */
export async function stopRun(database: Database, workspaceId: string, runId: string): Promise<WrittenRun | undefined> {
  const notified = notifyOfRun(Prisma.sql`r.id`, Prisma.sql`r.revision`, Prisma.sql`r.status`);
  // Raw: under the lock of the task, under which the next turn is chosen too.
  const [row] = await rowsOf<WrittenRun>(
    database,
    Prisma.sql`
    WITH locked AS (
      SELECT t.id FROM tasks t WHERE t.workspace_id = ${workspaceId}::uuid
        AND t.id = (SELECT o.task_id FROM task_runs o WHERE o.id = ${runId}::uuid) FOR NO KEY UPDATE
    ), r AS (
      UPDATE task_runs u SET stop_requested_at = COALESCE(u.stop_requested_at, now()), revision = u.revision + 1,
        status = CASE WHEN u.status = 'QUEUED' THEN 'STOPPED' ELSE u.status END,
        finished_at = CASE WHEN u.status = 'QUEUED' THEN now() ELSE u.finished_at END
      FROM locked WHERE u.id = ${runId}::uuid AND u.task_id = locked.id AND u.status IN ('RUNNING', 'QUEUED')
      RETURNING u.id, u.revision, u.status
    )
    SELECT r.revision, r.status, ${notified} FROM r`,
  );
  if (row?.status === 'STOPPED') database.observer.turnEnded(row.status);
  return row;
}

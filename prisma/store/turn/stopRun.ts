import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun, type WrittenRun } from './notifyTurn.ts';

/**
 * Requests a stop of this turn. A queued turn ends immediately, as does one that awaits an approval on behalf of a
 * step. Undefined if there is nothing to stop.
 */
export async function stopRun(database: Database, workspaceId: string, runId: string): Promise<WrittenRun | undefined> {
  const notified = notifyOfRun(Prisma.sql`${runId}`, Prisma.sql`r.revision`, Prisma.sql`r.status`);
  // Raw: one call of a function decides under the task's lock, which also covers the choice of the next turn.
  const [row] = await rowsOf<WrittenRun & { wasQueued: boolean }>(
    database,
    Prisma.sql`SELECT r.revision, r.status, r."wasQueued", ${notified}
      FROM stop_turn(${workspaceId}::uuid, ${runId}::uuid) r`,
  );
  // A turn that awaits an approval was counted as ended when it requested that.
  if (row?.wasQueued) database.observer.turnEnded('STOPPED');
  return row;
}

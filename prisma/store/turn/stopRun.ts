import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun, type WrittenRun } from './notifyTurn.ts';

/** A queued turn ends at once, as does one that awaits an approval on behalf of a step. Undefined: nothing to stop. */
export async function stopRun(database: Database, workspaceId: string, runId: string): Promise<WrittenRun | undefined> {
  const notified = notifyOfRun(Prisma.sql`${runId}`, Prisma.sql`r.revision`, Prisma.sql`r.status`);
  const [row] = await rowsOf<WrittenRun & { wasQueued: boolean }>(
    database,
    Prisma.sql`SELECT r.revision, r.status, r."wasQueued", ${notified}
      FROM stop_turn(${workspaceId}::uuid, ${runId}::uuid) r`,
  );
  // A turn that awaits an approval was counted as ended when it requested that.
  if (row?.wasQueued) database.observer.turnEnded('STOPPED');
  return row;
}

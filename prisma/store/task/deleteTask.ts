import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { type Item, itemOf, itemsSql } from '../items.ts';
import { rowOf } from '../rows.ts';
import { notifyOfRun, type WrittenRun } from '../turn/notifyTurn.ts';
import { TASK } from './resource.ts';

/** Higher than the revision of any concurrent write, so that followers learn of the deletion. */
export const LAST_REVISION = 2_147_483_647;

export interface DeletedTask {
  task: Item;
  /** Its open turns, and the final change that their followers get. */
  openRuns: ({ runId: string } & WrittenRun)[];
}

/** Undefined if the caller may not see such a task. */
export async function deleteTask(database: Database, viewer: Viewer, id: string): Promise<DeletedTask | undefined> {
  const { single: fields } = TASK.defaults;
  const shown = { resource: TASK, fields, answerBytes: Number.POSITIVE_INFINITY, single: true };
  const item = itemsSql(shown, Prisma.sql`FROM gone t`);
  const notified = notifyOfRun(Prisma.sql`o.id`, Prisma.sql`${LAST_REVISION}::int`, Prisma.sql`'STOPPED'`);
  const [row] = await rowsOf<{ item: string; openRuns: string[] }>(
    database,
    Prisma.sql`
    WITH gone AS (DELETE FROM tasks t WHERE ${rowOf(TASK, viewer, id, {})} RETURNING t.*), open AS (
      SELECT r.id FROM task_runs r JOIN gone ON gone.id = r.task_id WHERE r.status IN ('RUNNING', 'QUEUED')
    )
    SELECT page.item::text AS item, ARRAY(SELECT o.id::text FROM open o) AS "openRuns", ARRAY(SELECT ${notified} FROM open o)
    FROM (${item}) page`,
  );
  if (!row) return undefined;
  const openRuns = row.openRuns.map((runId) => ({ runId, revision: LAST_REVISION, status: 'STOPPED' as const }));
  return { task: itemOf(TASK, JSON.parse(row.item) as Item, database), openRuns };
}

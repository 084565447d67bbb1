import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { type Item, itemOf, itemsSql } from '../items.ts';
import { rowOf } from '../rows.ts';
import { TASK } from './resource.ts';

export interface DeletedTask {
  task: Item;
  /** Its open turns. */
  openRuns: string[];
}

/** Deletes the task with its messages and turns, and answers it as it was; undefined where the caller sees no such task. */
export async function deleteTask(database: Database, viewer: Viewer, taskId: string): Promise<DeletedTask | undefined> {
  const { single: fields } = TASK.defaults;
  const shown = { resource: TASK, fields, answerBytes: Number.POSITIVE_INFINITY, single: true };
  const item = itemsSql(shown, Prisma.sql`FROM gone t`);
  // Raw: the deleting statement reads the row first: dependent rows are deleted at its end.
  const [row] = await rowsOf<{ item: string; openRuns: string[] }>(
    database,
    Prisma.sql`
    WITH gone AS (DELETE FROM tasks t WHERE ${rowOf(TASK, viewer, taskId, {})} RETURNING t.*)
    SELECT page.item::text AS item, ARRAY(
      SELECT r.id::text FROM task_runs r JOIN gone ON gone.id = r.task_id WHERE r.status IN ('RUNNING', 'QUEUED')
    ) AS "openRuns"
    FROM (${item}) page`,
  );
  return row && { task: itemOf(TASK, JSON.parse(row.item) as Item, database), openRuns: row.openRuns };
}

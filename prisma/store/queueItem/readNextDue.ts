import type { Database } from '../../client.ts';

/** How long until an item of any workspace is due, milliseconds; undefined where none waits for its time. */
export async function readNextDue(database: Database): Promise<number | undefined> {
  // Raw: the database's own clock says how long it is; one step of an index.
  const [row] = await database.$queryRaw<{ inMs: number | null }[]>`
    SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float8 AS "inMs" FROM queue_items WHERE due_at IS NOT NULL`;
  return row?.inMs ?? undefined;
}

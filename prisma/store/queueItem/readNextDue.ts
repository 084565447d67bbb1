import type { Database } from '../../client.ts';

/** How long until an item of any workspace is due or its lease ends, milliseconds; undefined where none waits for a time. */
export async function readNextDue(database: Database): Promise<number | undefined> {
  // Raw: the database's own clock says how long it is; one step of an index each.
  const [row] = await database.$queryRaw<{ inMs: number | null }[]>`
    SELECT (extract(epoch FROM least(
      (SELECT min(due_at) FROM queue_items WHERE due_at IS NOT NULL),
      (SELECT min(lease_expires_at) FROM queue_items WHERE lease_expires_at IS NOT NULL)
    ) - now()) * 1000)::float8 AS "inMs"`;
  return row?.inMs ?? undefined;
}

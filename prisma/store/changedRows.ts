import { Prisma } from '../generated/client.ts';
import type { Seen } from './cursor.ts';
import type { Moves } from './order.ts';

/**
 * No row is lost from a list that somebody pages through while rows move in its order (a list by `updatedAt`, and a row
 * of its third page is changed: it stands on the first one now). The first page's cursor keeps the moment and the
 * database's snapshot, as every one after it does. After the last row in the order come those that existed at that moment
 * and were changed by a transaction that the snapshot did not see, by id, which never changes. So each row that was there
 * all the time is shown once, or twice if it was changed, the second time as it became.
 *
 * The snapshot, and not the time alone, since a change has the time of its transaction's beginning and is seen at its end.
 */
export const SEEN_NOW = {
  at: Prisma.sql`to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  // A long one is told as what is safe: nothing that had begun with its oldest transaction was seen.
  snapshot: Prisma.sql`(SELECT CASE WHEN length(s::text) <= 1000 THEN s::text
    ELSE pg_snapshot_xmin(s) || ':' || pg_snapshot_xmin(s) || ':' END FROM pg_current_snapshot() s)`,
};

/** Longer than any statement runs (config.ts: all are bounded by a minute), so that few rows are looked at. */
const LONGEST_CHANGE = Prisma.sql`interval '10 minutes'`;

/** Rows `t` that moved since. No function of the database writes rows of such lists in a subtransaction. */
export function changedSince({ at, only }: Moves, seen: Seen): Prisma.Sql {
  const wasSeen = Prisma.sql`pg_visible_in_snapshot(${rowTransaction(seen)}, ${seen.snapshot}::pg_snapshot)`;
  return Prisma.sql`t.created_at <= ${seen.at}::timestamptz + interval '2 milliseconds' AND ${at} >= ${seen.at}::timestamptz - ${LONGEST_CHANGE}
    AND NOT ${wasSeen} ${only ? Prisma.sql`AND ${only}` : Prisma.empty}`;
}

/** The transaction that wrote row `t`, whole: of xmin's 32 bits, the number nearest to the snapshot's end. */
function rowTransaction({ snapshot }: Seen): Prisma.Sql {
  const end = Prisma.sql`${snapshot.split(':')[1]}::bigint`;
  const distance = Prisma.sql`mod(t.xmin::text::bigint - mod(${end}, 4294967296) + 6442450944, 4294967296) - 2147483648`;
  return Prisma.sql`greatest(${end} + ${distance}, 0)::text::xid8`;
}

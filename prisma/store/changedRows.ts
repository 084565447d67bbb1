import { Prisma } from '../generated/client.ts';
import type { Seen } from './cursor.ts';
import type { Moves } from './order.ts';

/**
 * Keeps paged lists complete while rows move in their order. Each page's cursor keeps the time and the database
 * snapshot of the first page. After the last row come, by id, the rows that existed at that time and were changed by a
 * transaction outside the snapshot. So each permanent row is listed once, or a second time with its new values. The
 * time alone is not enough: a change has the time at which its transaction began.
 */
export const SEEN_NOW = {
  at: Prisma.sql`to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  // A long snapshot is shortened to a safe one: no transaction after its oldest counts as seen.
  snapshot: Prisma.sql`(SELECT CASE WHEN length(s::text) <= 1000 THEN s::text
    ELSE pg_snapshot_xmin(s) || ':' || pg_snapshot_xmin(s) || ':' END FROM pg_current_snapshot() s)`,
};

/** Longer than any statement runs (config.ts limits all to a minute), so that few rows are read. */
const MAX_CHANGE_TIME = Prisma.sql`interval '10 minutes'`;

/** Selects rows `t` that moved since. No database function writes rows of such lists in a subtransaction. */
export function changedSince({ at, only }: Moves, seen: Seen): Prisma.Sql {
  const wasSeen = isIn(seen.snapshot);
  return Prisma.sql`t.created_at <= ${seen.at}::timestamptz + interval '2 milliseconds' AND ${at} >= ${seen.at}::timestamptz - ${MAX_CHANGE_TIME}
    AND NOT ${wasSeen} ${only ? Prisma.sql`AND ${only}` : Prisma.empty}`;
}

export function isIn(snapshot: string, xmin = Prisma.sql`t.xmin`): Prisma.Sql {
  return Prisma.sql`pg_visible_in_snapshot(${wholeTransaction(snapshot, xmin)}, ${snapshot}::pg_snapshot)`;
}

/** Completes the 32 bits of xmin to the number nearest to the snapshot's end. */
function wholeTransaction(snapshot: string, xmin: Prisma.Sql): Prisma.Sql {
  const end = Prisma.sql`${snapshot.split(':')[1]}::bigint`;
  const distance = Prisma.sql`mod(${xmin}::text::bigint - mod(${end}, 4294967296) + 6442450944, 4294967296) - 2147483648`;
  return Prisma.sql`greatest(${end} + ${distance}, 0)::text::xid8`;
}

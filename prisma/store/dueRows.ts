import { Prisma } from '../generated/client.ts';

// Reads due rows of many workspaces. A worker reads only its buckets (domain/buckets.ts).

const ID = Prisma.sql`id`;
const EACH = Prisma.sql`true`;

export type DueCondition = Prisma.Sql;

export interface DueRows {
  table: Prisma.Sql;
  id?: Prisma.Sql;
  /** The exact condition of a partial index over workspace_bucket(workspace_id) and the time. */
  waiting: Prisma.Sql;
  time: Prisma.Sql;
  /** A row is due if its time is earlier. */
  until: Prisma.Sql;
  /** Filters the due rows; absent: all. */
  wanted?: Prisma.Sql;
}

export function inBuckets(buckets: readonly number[], column = Prisma.sql`workspace_id`): Prisma.Sql {
  return Prisma.sql`workspace_bucket(${column}) = ANY (${[...buckets]}::int[])`;
}

export function ago(ms: number): Prisma.Sql {
  return Prisma.sql`now() - make_interval(secs => ${ms / 1_000}::float8)`;
}

export function either(one: DueCondition, other: DueCondition): DueCondition {
  return Prisma.sql`(${one} OR ${other})`;
}

export function anyDue(rows: DueRows, buckets: readonly number[]): DueCondition {
  return Prisma.sql`EXISTS (SELECT FROM ${firstDue(rows, buckets, 1)})`;
}

/** Locks at most `limit` ids, earliest first; skips locked rows. CASE keeps the planner from another index. */
export function claimableIds(rows: DueRows, buckets: readonly number[], limit: number): Prisma.Sql {
  const { table, id = ID, waiting, time, until, wanted = EACH } = rows;
  return Prisma.sql`ARRAY(
    SELECT ${id} FROM ${table} WHERE ${id} = ANY (ARRAY(
      SELECT d.id FROM ${firstDue(rows, buckets, limit)} ORDER BY d.due LIMIT ${limit}::int))
    AND CASE WHEN ${waiting} AND ${wanted} THEN ${time} < ${until} END
    FOR NO KEY UPDATE SKIP LOCKED)`;
}

/**
 * The subselect hides the limit, so that the planner uses the index; without ORDER BY it would read the whole table.
 */
function firstDue(rows: DueRows, buckets: readonly number[], limit: number): Prisma.Sql {
  const { table, id = ID, waiting, time, until, wanted = EACH } = rows;
  return Prisma.sql`unnest(${[...buckets]}::int[]) b(bucket) CROSS JOIN LATERAL (
        SELECT ${id} AS id, ${time} AS due FROM ${table}
        WHERE ${waiting} AND workspace_bucket(workspace_id) = b.bucket AND ${time} < ${until} AND ${wanted}
        ORDER BY ${time} LIMIT (SELECT ${limit}::int)) d`;
}

/** Reads one entry per workspace of a partial index over workspace_id with the condition `waiting`. */
export function workspacesInTurn({ table, waiting }: Pick<DueRows, 'table' | 'waiting'>): Prisma.Sql {
  return Prisma.sql`workspaces_in_turn AS (
      (SELECT workspace_id FROM ${table} WHERE ${waiting} ORDER BY workspace_id LIMIT 1)
      UNION ALL
      SELECT n.workspace_id FROM workspaces_in_turn w CROSS JOIN LATERAL (
        SELECT workspace_id FROM ${table}
        WHERE ${waiting} AND workspace_id > w.workspace_id ORDER BY workspace_id LIMIT 1) n
    )`;
}

/** Like `claimableIds`, but workspaces take turns, so that one cannot delay the others. Needs `workspacesInTurn`. */
export function claimableInTurn(rows: DueRows, buckets: readonly number[], limit: number): Prisma.Sql {
  const { table, id = ID, waiting, time, until } = rows;
  return Prisma.sql`ARRAY(
    SELECT ${id} FROM ${table} WHERE ${id} = ANY (ARRAY(
      SELECT d.id FROM workspaces_in_turn w CROSS JOIN LATERAL (
        SELECT ${id} AS id, ${time} AS due, row_number() OVER (ORDER BY ${time}) AS turn FROM ${table}
        WHERE ${waiting} AND workspace_id = w.workspace_id AND ${time} < ${until}
        ORDER BY ${time} LIMIT ${limit}::int) d
      WHERE ${inBuckets(buckets, Prisma.sql`w.workspace_id`)}
      ORDER BY d.turn, d.due LIMIT ${limit}::int))
    AND CASE WHEN ${waiting} THEN ${time} < ${until} END
    FOR NO KEY UPDATE SKIP LOCKED)`;
}

export function anyWaiting(rows: Pick<DueRows, 'table' | 'waiting'>, buckets: readonly number[]): DueCondition {
  return Prisma.sql`EXISTS (
    WITH RECURSIVE ${workspacesInTurn(rows)} SELECT FROM workspaces_in_turn WHERE ${inBuckets(buckets)})`;
}

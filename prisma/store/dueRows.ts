import { Prisma } from '../generated/client.ts';

// Reads of duties: rows of many workspaces whose time has come. A worker has some buckets of all workspaces
// (domain/buckets.ts), and reads nothing of the others.

const ID = Prisma.sql`id`;
const EACH = Prisma.sql`true`;

/** A condition over many workspaces: there is something to do in these buckets. */
export type DueCondition = Prisma.Sql;

/** Rows of a table that wait for a time. */
export interface DueRows {
  table: Prisma.Sql;
  /** Its primary key. */
  id?: Prisma.Sql;
  /** The words of an index over workspace_bucket(workspace_id) and the time. */
  waiting: Prisma.Sql;
  time: Prisma.Sql;
  /** A row is due whose time is earlier. */
  until: Prisma.Sql;
  /** Whether a row that is due is to be claimed; every one if absent. */
  wanted?: Prisma.Sql;
}

/** `column`: of the row's workspace. */
export function inBuckets(buckets: readonly number[], column = Prisma.sql`workspace_id`): Prisma.Sql {
  return Prisma.sql`workspace_bucket(${column}) = ANY (${[...buckets]}::int[])`;
}

/** So many milliseconds before now, by the database's clock. */
export function ago(ms: number): Prisma.Sql {
  return Prisma.sql`now() - make_interval(secs => ${ms / 1_000}::float8)`;
}

export function either(one: DueCondition, other: DueCondition): DueCondition {
  return Prisma.sql`(${one} OR ${other})`;
}

/** Whether one is due. */
export function anyDue(rows: DueRows, buckets: readonly number[]): DueCondition {
  return Prisma.sql`EXISTS (SELECT FROM ${firstDue(rows, buckets, 1)})`;
}

/**
 * An array of the ids of at most `limit` rows, those first whose time came first; locked, without those that another process
 * has locked. The repeated check is a CASE, so that no other index fits.
 */
export function claimableIds(rows: DueRows, buckets: readonly number[], limit: number): Prisma.Sql {
  const { table, id = ID, waiting, time, until, wanted = EACH } = rows;
  return Prisma.sql`ARRAY(
    SELECT ${id} FROM ${table} WHERE ${id} = ANY (ARRAY(
      SELECT d.id FROM ${firstDue(rows, buckets, limit)} ORDER BY d.due LIMIT ${limit}::int))
    AND CASE WHEN ${waiting} AND ${wanted} THEN ${time} < ${until} END
    FOR NO KEY UPDATE SKIP LOCKED)`;
}

/**
 * At most `limit` due rows `d (id, due)` of each bucket, by one step of the index each. With a limit that the planner does
 * not know it goes by the index, also without statistics; without an order it would read the table, where many rows wait.
 */
function firstDue(rows: DueRows, buckets: readonly number[], limit: number): Prisma.Sql {
  const { table, id = ID, waiting, time, until, wanted = EACH } = rows;
  return Prisma.sql`unnest(${[...buckets]}::int[]) b(bucket) CROSS JOIN LATERAL (
        SELECT ${id} AS id, ${time} AS due FROM ${table}
        WHERE ${waiting} AND workspace_bucket(workspace_id) = b.bucket AND ${time} < ${until} AND ${wanted}
        ORDER BY ${time} LIMIT (SELECT ${limit}::int)) d`;
}

/**
 * The workspaces with rows that wait, as a recursive query `workspaces_in_turn (workspace_id)`: one step of an index over
 * workspace_id, with the words of `waiting`, from one to the next.
 */
export function workspacesInTurn({ table, waiting }: Pick<DueRows, 'table' | 'waiting'>): Prisma.Sql {
  return Prisma.sql`workspaces_in_turn AS (
      (SELECT workspace_id FROM ${table} WHERE ${waiting} ORDER BY workspace_id LIMIT 1)
      UNION ALL
      SELECT n.workspace_id FROM workspaces_in_turn w CROSS JOIN LATERAL (
        SELECT workspace_id FROM ${table}
        WHERE ${waiting} AND workspace_id > w.workspace_id ORDER BY workspace_id LIMIT 1) n
    )`;
}

/** As `claimableIds`, where workspaces take turns, so that one with many rows does not delay the others. Needs `workspacesInTurn`. */
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

/** Whether there are rows that wait, due or not. */
export function anyWaiting(rows: Pick<DueRows, 'table' | 'waiting'>, buckets: readonly number[]): DueCondition {
  return Prisma.sql`EXISTS (
    WITH RECURSIVE ${workspacesInTurn(rows)} SELECT FROM workspaces_in_turn WHERE ${inBuckets(buckets)})`;
}

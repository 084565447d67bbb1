import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

// Followers are recorded before they read. The statements cover all workspaces, because the ids come from followers.

/** Marks the row for `forMs`. Waits for its running writes, so the next read sees those that missed the mark. */
export async function followRow(database: Database, id: string, forMs: number): Promise<void> {
  const until = untilOf(forMs);
  await database.$executeRaw`
    WITH execution AS (
      UPDATE executions SET followed_until = greatest(followed_until, ${until})
      WHERE id = ${id}::uuid AND stopped_at IS NULL
    )
    UPDATE task_runs SET followed_until = greatest(followed_until, ${until})
    WHERE id = ${id}::uuid AND status IN ('QUEUED', 'RUNNING')`;
}

/** Extends the marks of these rows by `forMs`. Skips rows that are being written; returns the ids of the others. */
export async function continueFollowing(database: Database, ids: readonly string[], forMs: number): Promise<string[]> {
  const until = untilOf(forMs);
  const open = (table: Prisma.Sql, isOpen: Prisma.Sql) => Prisma.sql`id = ANY (ARRAY(
    SELECT id FROM ${table} WHERE id = ANY (${[...ids]}::uuid[]) AND ${isOpen} FOR NO KEY UPDATE SKIP LOCKED))`;
  // Raw: waits for no lock, so that two processes with the same rows cannot deadlock.
  const rows = await rowsOf<{ id: string }>(
    database,
    Prisma.sql`
    WITH execution AS (
      UPDATE executions SET followed_until = greatest(followed_until, ${until})
      WHERE ${open(Prisma.sql`executions`, Prisma.sql`stopped_at IS NULL`)} RETURNING id
    ), turn AS (
      UPDATE task_runs SET followed_until = greatest(followed_until, ${until})
      WHERE ${open(Prisma.sql`task_runs`, Prisma.sql`status IN ('QUEUED', 'RUNNING')`)} RETURNING id
    )
    SELECT id FROM execution UNION ALL SELECT id FROM turn`,
  );
  return rows.map(({ id }) => id);
}

/** Marks all changes of these workspaces as followed. A running write may miss the mark: see `openWrites`. */
export async function followWorkspaces(database: Database, ids: readonly string[], forMs: number): Promise<void> {
  // Raw: one statement for all, by the database's clock; skips workspaces that were deleted meanwhile.
  await database.$executeRaw`
    INSERT INTO followed_workspaces AS f (workspace_id, expires_at)
    SELECT w.id, ${untilOf(forMs)} FROM workspaces w WHERE w.id = ANY (${[...ids]}::uuid[]) ORDER BY w.id
    ON CONFLICT (workspace_id) DO UPDATE SET expires_at = greatest(f.expires_at, excluded.expires_at)`;
}

/** Returns the ids of the transactions that are writing in this database. Other databases of the server are ignored. */
export async function openWrites(database: Database): Promise<string[]> {
  const rows = await database.$queryRaw<{ xid: string }[]>`
    SELECT backend_xid::text AS xid FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xid IS NOT NULL`;
  return rows.map(({ xid }) => xid);
}

export async function haveEnded(database: Database, xids: readonly string[]): Promise<boolean> {
  const [row] = await database.$queryRaw<{ is: boolean }[]>`
    SELECT NOT EXISTS (
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_xid::text = ANY (${[...xids]}::text[])
    ) AS is`;
  return row?.is === true;
}

function untilOf(forMs: number): Prisma.Sql {
  return Prisma.sql`now() + make_interval(secs => ${forMs / 1_000}::float8)`;
}

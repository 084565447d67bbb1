import pg from 'pg';
import type { Database } from './client.ts';
import type { Prisma } from './generated/client.ts';

/**
 * For hot paths: `$queryRaw` takes 0.4 ms more (docs/architecture/facts.md). Throws pg.DatabaseError or driver errors.
 */
export async function rowsOf<Row extends object>(database: Database, statement: Prisma.Sql): Promise<Row[]> {
  try {
    const { rows } = await database.pool.query<Row>(statement.text, statement.values);
    return rows;
  } catch (error) {
    // The driver names its errors `error`.
    throw error instanceof pg.DatabaseError ? Object.assign(error, { name: 'DatabaseError' }) : error;
  }
}

import pg from 'pg';
import type { Database } from './client.ts';
import type { Prisma } from './generated/client.ts';

/**
 * Rows of a statement of a hot path, straight from the driver: `$queryRaw` takes 0.4 ms more
 * (docs/architecture/facts.md). Types are the driver's: json as values, bigint and numeric as text. Throws
 * pg.DatabaseError, or the driver's error of a connection.
 */
export async function rowsOf<Row extends object>(database: Database, statement: Prisma.Sql): Promise<Row[]> {
  try {
    const { rows } = await database.pool.query<Row>(statement.text, statement.values);
    return rows;
  } catch (error) {
    // The driver names them `error`.
    throw error instanceof pg.DatabaseError ? Object.assign(error, { name: 'DatabaseError' }) : error;
  }
}

import type { Database } from './client.ts';
import { Prisma } from './generated/client.ts';

/**
 * Ends with the first error. Only `$queryRaw`, `$executeRaw` and rowsOf run in it, with the driver's types. It holds a
 * connection and blocks all others on PGlite, so it is not for statements of every step or request.
 */
export async function inTransaction<T>(database: Database, work: (within: Database) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  // A broken connection emits this in addition to the error of its statement.
  const ignore = () => undefined;
  client.on('error', ignore);
  let broken: Error | undefined;
  try {
    await client.query('BEGIN; SET CONSTRAINTS ALL DEFERRED');
    const query = (statement: Prisma.Sql) => client.query(statement.text, statement.values as unknown[]);
    const sqlOf = (first: TemplateStringsArray | Prisma.Sql, values: unknown[]) =>
      first instanceof Prisma.Sql ? first : Prisma.sql(first, ...(values as Prisma.Sql[]));
    const within = {
      $queryRaw: async (first: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
        (await query(sqlOf(first, values))).rows,
      $executeRaw: async (first: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
        (await query(sqlOf(first, values))).rowCount ?? 0,
      pool: { query: client.query.bind(client) },
      revealSecrets: database.revealSecrets,
      linkOf: database.linkOf,
    };
    const result = await work(within as unknown as Database);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => undefined,
      (failed: Error) => failed,
    );
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}

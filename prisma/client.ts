import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

/** What store functions take: the client, and the pool of connections that it uses. */
export type Database = PrismaClient & {
  readonly pool: pg.Pool;
  /** Ends all connections. */
  close(): Promise<void>;
};

/** Connects lazily; the pool refuses to wait longer than 5 s for a connection. */
export function createDatabase(url: string, poolSize: number): Database {
  const pool = new pg.Pool({ connectionString: url, max: poolSize, connectionTimeoutMillis: 5_000 });
  // A connection that breaks while nobody uses it is replaced by the next statement, which hears of what is wrong.
  pool.on('error', () => undefined);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return Object.assign(prisma, {
    pool,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  });
}

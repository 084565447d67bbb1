import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';

/** What store functions take: the client, or a transaction of it. Hot paths are single `$queryRaw` statements. */
export type Database = PrismaClient;

/** Connects lazily; the pool refuses to wait longer than 5 s for a connection. */
export function createDatabase(url: string, poolSize: number): Database {
  return new PrismaClient({
    adapter: new PrismaPg({ connectionString: url, max: poolSize, connectionTimeoutMillis: 5_000 }),
  });
}

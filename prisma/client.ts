import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { OpenSecrets } from '../domain/execution/keptSecret.ts';
import { PrismaClient } from './generated/client.ts';

/** How long a connection to the database is silent before the system asks whether the other side is there. */
export const KEEP_ALIVE_AFTER_MS = 10_000;

/** What a server that has given a statement up has to say so. */
const ANSWER_AFTER_CANCEL_MS = 1_000;

/** What store functions take: the client, and the pool of connections that it uses. */
export type Database = PrismaClient & {
  readonly pool: pg.Pool;
  /** What reads of executions mask, opened. */
  readonly openSecrets: OpenSecrets;
  /** Ends all connections. */
  close(): Promise<void>;
};

/**
 * Connects lazily; the pool refuses to wait longer than 5 s for a connection. A statement is cancelled by the server after
 * `statementTimeoutMs`, and where none answers it fails a second later; either way as one of a database that is away. Migrations have a connection of their own, without that.
 */
export function createDatabase(
  url: string,
  poolSize: number,
  statementTimeoutMs = 60_000,
  openSecrets: OpenSecrets = textsAlone,
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    // A host that is gone sends no RST. Keep-alive finds that of a connection that nobody uses; of one that has sent a
    // statement only this timeout does. The pool then destroys the connection, since `pool.query` releases it with the
    // error. Prisma's transactions would release it without: no store function uses them.
    query_timeout: statementTimeoutMs + ANSWER_AFTER_CANCEL_MS,
    // A server that lives gives the statement up itself, and does not go on with what nobody waits for. (PGlite takes no
    // notice: it cannot be interrupted, and its statements end on their own.)
    statement_timeout: statementTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });
  // A connection that breaks while nobody uses it is replaced by the next statement, which hears of what is wrong.
  pool.on('error', () => undefined);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return Object.assign(prisma, {
    pool,
    openSecrets,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  });
}

/** Of a process that has no ENCRYPTION_KEY: it is not to show what it cannot mask. */
function textsAlone(stored: Parameters<OpenSecrets>[0]): string[] {
  return stored.map((each) => {
    if (typeof each === 'string') return each;
    throw new Error('Executions that used a connection are read where its credentials can be opened');
  });
}

import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { RevealSecrets } from '../domain/execution/keptSecret.ts';
import type { LinkOf } from '../domain/execution/questionPlace.ts';
import { NO_OBSERVER, type StoreObserver } from '../domain/operation/storeObserver.ts';
import { PrismaClient } from './generated/client.ts';
import { PreparedStatements, prepareRepeated } from './preparedStatements.ts';

/** Idle time of a connection before the system sends keep-alive probes. */
export const KEEP_ALIVE_AFTER_MS = 10_000;

/** Time for the server to report that it cancelled a statement. */
const ANSWER_AFTER_CANCEL_MS = 1_000;

export type Database = PrismaClient & {
  readonly pool: pg.Pool;
  /** Decrypts the secrets that reads of executions mask. */
  readonly revealSecrets: RevealSecrets;
  readonly linkOf: LinkOf;
  readonly observer: StoreObserver;
  close(): Promise<void>;
};

export interface DatabaseOptions {
  /** 60 s if absent. */
  statementTimeoutMs?: number;
  /** Maximum of prepared statements per connection; 256 if absent, none with 0. */
  preparedStatements?: number;
  revealSecrets?: RevealSecrets;
  linkOf?: LinkOf;
  observer?: StoreObserver;
  /** Connections pass through a pooler; the database role then limits the time of a statement (docs/operations.md). */
  isPooled?: boolean;
}

/**
 * Connects lazily; a connection of the pool must be free within 5 s. The server cancels a statement after
 * `statementTimeoutMs`, the client a second later: both mean an unavailable database. Migrations have no such limit.
 */
export function createDatabase(url: string, poolSize: number, options: DatabaseOptions = {}): Database {
  const { statementTimeoutMs = 60_000, preparedStatements = 256, revealSecrets = textsAlone, isPooled } = options;
  const { linkOf = noLinks, observer = NO_OBSERVER } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    // A dead host sends no RST. `pool.query` then destroys the connection; Prisma's transactions would return it to the
    // pool, so no store function uses them.
    query_timeout: statementTimeoutMs + ANSWER_AFTER_CANCEL_MS,
    // A live server cancels the statement. PGlite ignores this; a pooler rejects startup parameters.
    ...(isPooled ? {} : { statement_timeout: statementTimeoutMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });
  // The next statement replaces a broken idle connection and gets the error if the server is gone.
  pool.on('error', () => undefined);
  prepareRepeated(pool, new PreparedStatements(preparedStatements));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return Object.assign(prisma, {
    pool,
    revealSecrets,
    linkOf,
    observer,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  });
}

/** A process without ENCRYPTION_KEY must not read executions that it cannot mask. */
function textsAlone(stored: Parameters<RevealSecrets>[0]): string[] {
  return stored.map((each) => {
    if (typeof each === 'string') return each;
    throw new Error('Executions that used a connection are read where its credentials can be opened');
  });
}

/** Links of questions are made with ENCRYPTION_KEY too. */
function noLinks(): never {
  throw new Error('Questions are read where their links can be made');
}

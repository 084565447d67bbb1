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

/** The argument of store functions: the client, and its pool of connections. */
export type Database = PrismaClient & {
  readonly pool: pg.Pool;
  /** Opens the secrets that reads of executions mask. */
  readonly revealSecrets: RevealSecrets;
  readonly linkOf: LinkOf;
  /** Is called once for each change that a write makes. */
  readonly observer: StoreObserver;
  /** Ends all connections. */
  close(): Promise<void>;
};

export interface DatabaseOptions {
  /** 60 s if absent. */
  statementTimeoutMs?: number;
  /** Statements that each connection keeps prepared; 256 if absent, none with 0. */
  preparedStatements?: number;
  revealSecrets?: RevealSecrets;
  linkOf?: LinkOf;
  observer?: StoreObserver;
  /** Connections go through a pooler: the role limits the time of a statement (docs/operations.md). */
  isPooled?: boolean;
}

/**
 * Connects lazily; waits at most 5 s for a connection of the pool. The server cancels a statement after `statementTimeoutMs`;
 * without an answer it fails a second later. Both count as an unavailable database. Migrations use their own connection,
 * without this limit.
 */
export function createDatabase(url: string, poolSize: number, options: DatabaseOptions = {}): Database {
  const { statementTimeoutMs = 60_000, preparedStatements = 256, revealSecrets = textsAlone, isPooled } = options;
  const { linkOf = noLinks, observer = NO_OBSERVER } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    // A dead host sends no RST. Keep-alive detects it on an idle connection; on a connection with a running statement
    // only this timeout does. The pool then destroys the connection, since `pool.query` releases it with the error.
    // Prisma's transactions would release it without the error: no store function uses them.
    query_timeout: statementTimeoutMs + ANSWER_AFTER_CANCEL_MS,
    // A live server cancels the statement itself, so that it does not continue without a reader. PGlite ignores this. A
    // pooler rejects it, like any startup parameter that it cannot forward.
    ...(isPooled ? {} : { statement_timeout: statementTimeoutMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });
  // An idle connection that breaks is replaced by the next statement, which gets the error if the server is gone.
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

/** For a process without ENCRYPTION_KEY: it must not read executions that it cannot mask. */
function textsAlone(stored: Parameters<RevealSecrets>[0]): string[] {
  return stored.map((each) => {
    if (typeof each === 'string') return each;
    throw new Error('Executions that used a connection are read where its credentials can be opened');
  });
}

/** Likewise: links of questions are made with ENCRYPTION_KEY. */
function noLinks(): never {
  throw new Error('Questions are read where their links can be made');
}

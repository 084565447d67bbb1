import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** The migration enables pgvector if the server has it. */
export async function hasVectors(database: Database): Promise<boolean> {
  const [row] = await database.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS found`);
  return row?.found === true;
}

/** Returns whether other processes may write: PGlite serves only one process. */
export async function canListen(database: Database): Promise<boolean> {
  const [row] = await database.$queryRaw<{ version: string }[]>`SELECT version()`;
  return row !== undefined && !row.version.includes('PGlite');
}

export async function notify(database: Database, channel: string, payload: string): Promise<void> {
  await database.$queryRaw`SELECT pg_notify(${channel}, ${payload})::text`;
}

/** 0 is unlimited. */
export async function statementTimeoutMs(database: Database): Promise<number> {
  const [row] = await database.$queryRaw<{ ms: number }[]>`
    SELECT setting::int AS ms FROM pg_settings WHERE name = 'statement_timeout'`;
  return row?.ms ?? 0;
}

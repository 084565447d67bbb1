import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Whether the database has pgvector: the migration enables it where the server has it. */
export async function hasVectors(database: Database): Promise<boolean> {
  // Raw: the server's extensions are in a system catalogue, which has no model.
  const [row] = await database.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS found`);
  return row?.found === true;
}

/** Whether others may write. PGlite serves one process, which knows of its own changes. */
export async function canListen(database: Database): Promise<boolean> {
  // Raw: which server it is, no model says.
  const [row] = await database.$queryRaw<{ version: string }[]>`SELECT version()`;
  return row !== undefined && !row.version.includes('PGlite');
}

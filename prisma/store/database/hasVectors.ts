import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Whether the server has pgvector, enabled in this database or not. */
export async function hasVectors(database: Database): Promise<boolean> {
  // Raw: what the server offers stands in a catalogue of its own, which no model has.
  const [row] = await database.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS found`);
  return row?.found === true;
}

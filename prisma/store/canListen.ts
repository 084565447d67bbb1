import type { Database } from '../client.ts';

/** PGlite has one session for all its sockets: LISTEN through one would reach none. */
export async function canListen(database: Database): Promise<boolean> {
  // Raw: which server it is, no model says.
  const [row] = await database.$queryRaw<{ version: string }[]>`SELECT version()`;
  return row !== undefined && !row.version.includes('PGlite');
}

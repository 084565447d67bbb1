import type { Database } from '../client.ts';

/** Whether others may write. PGlite serves one process, which knows of its own changes. */
export async function canListen(database: Database): Promise<boolean> {
  // Raw: which server it is, no model says.
  const [row] = await database.$queryRaw<{ version: string }[]>`SELECT version()`;
  return row !== undefined && !row.version.includes('PGlite');
}

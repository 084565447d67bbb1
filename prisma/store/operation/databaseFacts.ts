import type { Database } from '../../client.ts';

export interface DatabaseFacts {
  /** Format of `server_version_num`: 160004 is 16.4. */
  version: number;
  isEmbedded: boolean;
  now: Date;
  maxConnections: number;
  hasVectors: boolean;
}

/** Needs no migration. */
export async function databaseFacts(database: Database): Promise<DatabaseFacts> {
  const [row] = await database.$queryRaw<[DatabaseFacts]>`
    SELECT current_setting('server_version_num')::int AS version, version() LIKE '%PGlite%' AS "isEmbedded",
      clock_timestamp() AS now, current_setting('max_connections')::int AS "maxConnections",
      EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS "hasVectors"`;
  return row;
}

import pg from 'pg';

/** A database as it was at a moment, for as long as it is held. */
export interface Snapshot {
  /** For `pg_dump --snapshot`. */
  id: string;
  at: Date;
  /** `server_version_num` */
  serverVersion: number;
  extensions: string[];
  /** Reads what the snapshot has. */
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  release(): Promise<void>;
}

interface Facts {
  id: string;
  at: Date;
  serverVersion: number;
  extensions: string[];
}

/** Opens the connection first, so that the snapshots of several databases can be taken right after one another. */
export async function prepareSnapshot(url: string): Promise<{ take(): Promise<Snapshot>; release(): Promise<void> }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'perdure backup',
  });
  // The statement that runs rejects too.
  client.on('error', () => undefined);
  await client.connect();
  const release = () => client.end();
  return {
    release,
    async take() {
      await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      // Held while pg_dump runs, without a statement: that may take hours.
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      const { rows } = await client.query<Facts>(
        `SELECT pg_export_snapshot() AS id, clock_timestamp() AS at, current_setting('server_version_num')::int AS "serverVersion",
           ARRAY(SELECT extname::text FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY 1) AS extensions`,
      );
      const rowsOf = async <Row extends object>(sql: string, values?: unknown[]) =>
        (await client.query<Row>(sql, values)).rows;
      return { ...(rows[0] as Facts), rows: rowsOf, release };
    },
  };
}

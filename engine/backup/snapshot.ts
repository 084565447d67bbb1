import pg from 'pg';

export interface Snapshot {
  id: string;
  at: Date;
  serverVersion: number;
  extensions: string[];
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  release(): Promise<void>;
}

interface Facts {
  id: string;
  at: Date;
  serverVersion: number;
  extensions: string[];
}

/** Opens the connection first, so that the snapshots of several databases follow each other closely. */
export async function prepareSnapshot(url: string): Promise<{ take(): Promise<Snapshot>; release(): Promise<void> }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'perdure backup',
  });
  // The running statement rejects too.
  client.on('error', () => undefined);
  await client.connect();
  const release = () => client.end();
  return {
    release,
    async take() {
      await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      // The transaction stays idle while pg_dump runs, perhaps for hours.
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

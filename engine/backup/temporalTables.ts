import pg from 'pg';

/** Rows that are read at a time. */
const PAGE = 20_000;

/** Status of a workflow in Temporal's tables that has not ended. */
const RUNNING = 1;

export interface KnownWorkflow {
  /** The engine's id: of an execution, a turn, a schedule. */
  workflowId: string;
  isRunning: boolean;
}

/**
 * Every workflow that Temporal's own database has in a namespace, by pages. For a database that was just restored, before a
 * server runs on it; the table is of Temporal's schema for Postgres.
 */
export async function* knownWorkflows(url: string, namespace: string): AsyncGenerator<KnownWorkflow[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // The statement that runs rejects too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    let after: { shard: number; workflowId: string } = { shard: -1, workflowId: '' };
    for (;;) {
      const { rows } = await client.query<{ shard: number; workflowId: string; status: number }>(
        `SELECT c.shard_id AS shard, c.workflow_id AS "workflowId", c.status
         FROM current_executions c JOIN namespaces n ON n.id = c.namespace_id
         WHERE n.name = $1 AND (c.shard_id, c.workflow_id) > ($2::int, $3::text)
         ORDER BY c.shard_id, c.workflow_id LIMIT ${PAGE}`,
        [namespace, after.shard, after.workflowId],
      );
      if (rows.length > 0) yield rows.map(({ workflowId, status }) => ({ workflowId, isRunning: status === RUNNING }));
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      after = last;
    }
  } finally {
    await client.end();
  }
}

import pg from 'pg';

const PAGE = 20_000;

const RUNNING = 1;

export interface KnownWorkflow {
  /** The id of an execution, a turn or a schedule. */
  workflowId: string;
  isRunning: boolean;
}

/** Yields all workflows of a namespace from Temporal's Postgres schema; use it before a server uses the database. */
export async function* knownWorkflows(url: string, namespace: string): AsyncGenerator<KnownWorkflow[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // The running statement rejects too.
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

import type { Database } from '../client.ts';

/**
 * Deletes at most `limit` rows of what is kept of deleted workflows, with their versions, and of deleted connections, that
 * no execution needs any more; of every workspace. An hour after the deletion at the earliest: nothing that began before it
 * is about to write an execution then. Returns how many; safe to run in several processes at once.
 */
export async function deleteForgotten(database: Database, limit: number): Promise<number> {
  // Raw: batches over several tables, beside others that do the same.
  const workflows = await database.$executeRaw`
    WITH gone AS (
      DELETE FROM deleted_workflows WHERE id IN (
        SELECT d.id FROM deleted_workflows d
        WHERE d.deleted_at < now() - interval '1 hour' AND NOT EXISTS (SELECT FROM executions e WHERE e.workflow_id = d.id)
        LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)
      RETURNING id
    )
    DELETE FROM workflow_versions v USING gone WHERE v.workflow_id = gone.id`;
  const connections = await database.$executeRaw`
    DELETE FROM deleted_connections WHERE id IN (
      SELECT d.id FROM deleted_connections d
      WHERE d.deleted_at < now() - interval '1 hour'
        AND NOT EXISTS (SELECT FROM execution_secrets x WHERE x.connection_id = d.id)
      LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`;
  return Math.max(workflows, connections);
}

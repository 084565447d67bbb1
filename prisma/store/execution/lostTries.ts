import type { Database } from '../../client.ts';

interface Ref {
  workspaceId: string;
  executionId: string;
}

/** Records that work begins. Returns how many earlier tries did not end. */
export async function beginTry(database: Database, { workspaceId, executionId }: Ref, work: string): Promise<number> {
  const [row] = await database.$queryRaw<{ before: number }[]>`
    INSERT INTO lost_tries AS t (execution_id, workspace_id, work)
    SELECT e.id, e.workspace_id, ${work} FROM executions e
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid
    ON CONFLICT (execution_id, work) DO UPDATE SET tries = t.tries + 1
    RETURNING t.tries - 1 AS before`;
  return row?.before ?? 0;
}

export async function endTries(database: Database, { workspaceId, executionId }: Ref, works: string[]): Promise<void> {
  await database.lostTry.deleteMany({ where: { executionId, workspaceId, work: { in: works } } });
}

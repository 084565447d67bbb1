import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface Delivery {
  workflowId: string;
  /** SHA-256 of the key, because keys may contain personal data. */
  keyHash: Buffer;
  /** Id of the execution, if this delivery is the first. */
  executionId: string;
  forMs: number;
}

/** Not accepted while its start is unfinished, or if the start was lost: starting it again is safe. */
export interface ClaimedDelivery {
  executionId: string;
  isAccepted: boolean;
}

/** Claims the key for this delivery if it is free or has expired, in one statement. */
export async function claimDelivery(
  database: Database,
  workspaceId: string,
  delivery: Delivery,
): Promise<ClaimedDelivery> {
  // Returns no row if another request inserted the key after this statement's snapshot: the second try sees it.
  for (;;) {
    const [row] = await database.$queryRaw<ClaimedDelivery[]>(statement(workspaceId, delivery));
    if (row) return row;
  }
}

function statement(workspaceId: string, { workflowId, keyHash, executionId, forMs }: Delivery): Prisma.Sql {
  return Prisma.sql`
    WITH claimed AS (
      INSERT INTO webhook_deliveries AS d (workspace_id, workflow_id, key_hash, execution_id, expires_at)
      VALUES (${workspaceId}::uuid, ${workflowId}::uuid, ${keyHash}, ${executionId}::uuid,
        now() + ${forMs}::float8 * interval '1 millisecond')
      ON CONFLICT (workflow_id, key_hash) DO UPDATE SET
        execution_id = excluded.execution_id, created_at = now(), expires_at = excluded.expires_at
      WHERE d.expires_at <= now()
      RETURNING d.execution_id
    )
    SELECT execution_id AS "executionId", false AS "isAccepted" FROM claimed
    UNION ALL
    SELECT d.execution_id, EXISTS (
      SELECT FROM executions e WHERE e.id = d.execution_id AND e.workspace_id = ${workspaceId}::uuid)
    FROM webhook_deliveries d
    WHERE d.workspace_id = ${workspaceId}::uuid AND d.workflow_id = ${workflowId}::uuid AND d.key_hash = ${keyHash}
      AND NOT EXISTS (SELECT FROM claimed)`;
}

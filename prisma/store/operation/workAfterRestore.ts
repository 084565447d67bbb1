import type { Database } from '../../client.ts';
import { ENDED } from '../execution/endedStatus.ts';

// These statements cover all workspaces of a restored database on which no process runs yet.

const BATCH = 5_000;

const OPEN = `status NOT IN ${ENDED.sql}`;

/** Something that may happen again, or has happened without a record in this database. */
export interface MayRepeat {
  id: string;
  workspaceId: string | null;
  executionId?: string;
  nodeId?: string;
}

/** One statement per list of the report; `$1` is the time of the engine's data. */
const LISTED = {
  executionsGoOn: `SELECT id, workspace_id AS "workspaceId" FROM executions WHERE ${OPEN}`,
  stepsOnTheirWay: `SELECT s.id, s.workspace_id AS "workspaceId", s.execution_id AS "executionId", s.node_id AS "nodeId"
    FROM execution_steps s JOIN executions e ON e.id = s.execution_id
    WHERE e.${OPEN} AND s.status IN ('QUEUED', 'RUNNING', 'RETRYING')`,
  stepsNewerThanHistory: `SELECT s.id, s.workspace_id AS "workspaceId", s.execution_id AS "executionId", s.node_id AS "nodeId"
    FROM execution_steps s JOIN executions e ON e.id = s.execution_id
    WHERE e.updated_at >= $1 AND s.stopped_at >= $1`,
  turns: `SELECT id, workspace_id AS "workspaceId" FROM task_runs WHERE status IN ('QUEUED', 'RUNNING')`,
  queueItemsLeased: `SELECT id, workspace_id AS "workspaceId" FROM queue_items WHERE status = 'PROCESSING'`,
  eventDeliveries: `SELECT id, workspace_id AS "workspaceId" FROM event_deliveries WHERE status = 'pending'`,
  mails: `SELECT id, NULL AS "workspaceId" FROM outgoing_mails`,
  documents: `SELECT id, workspace_id AS "workspaceId" FROM knowledge_documents WHERE status = 'INGESTING'`,
} as const;

export type RepeatedKind = keyof typeof LISTED;

export const REPEATED_KINDS = Object.keys(LISTED) as RepeatedKind[];

export async function mayRepeat(database: Database, kind: RepeatedKind, since: Date): Promise<MayRepeat[]> {
  const statement = LISTED[kind];
  return (await database.pool.query<MayRepeat>(statement, statement.includes('$1') ? [since] : [])).rows;
}

export async function begunExecutions(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM executions WHERE ${OPEN} AND status <> 'PENDING'`,
  );
  return rows.map(({ id }) => id);
}

export async function endedAmong(database: Database, ids: readonly string[]): Promise<MayRepeat[]> {
  const { rows } = await database.pool.query<MayRepeat>(
    `SELECT id, workspace_id AS "workspaceId" FROM executions WHERE id = ANY ($1::uuid[]) AND NOT ${OPEN}`,
    [ids],
  );
  return rows;
}

/** Restarts open executions that the engine does not have, like lost starts; recorded steps stay. */
export async function beginOnceMore(database: Database, ids: readonly string[]): Promise<MayRepeat[]> {
  const begun: MayRepeat[] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    const { rows } = await database.pool.query<MayRepeat>(
      `UPDATE executions SET status = 'PENDING' WHERE id = ANY ($1::uuid[]) AND ${OPEN}
       RETURNING id, workspace_id AS "workspaceId"`,
      [ids.slice(from, from + BATCH)],
    );
    begun.push(...rows);
  }
  return begun;
}

/** Sends answers given since `since` to the engine again, because it may not have them. */
export async function sendAnswersAgain(database: Database, since: Date): Promise<MayRepeat[]> {
  const { rows } = await database.pool.query<MayRepeat>(
    `UPDATE pending_inputs p SET status = 'SUBMITTED', signalled_at = p.submitted_at
     FROM executions e
     WHERE e.id = p.execution_id AND e.${OPEN} AND p.status = 'APPLIED' AND p.submitted_at >= $1
     RETURNING p.id, p.workspace_id AS "workspaceId", p.execution_id AS "executionId", p.node_id AS "nodeId"`,
    [since],
  );
  return rows;
}

/** Makes the reconciler compare everything open with the engine in its next passes, not an hour later. */
export async function compareSoon(database: Database): Promise<void> {
  await database.pool.query(`UPDATE executions SET reconciled_at = 'epoch' WHERE ${OPEN}`);
  await database.pool.query(`UPDATE task_runs SET reconciled_at = 'epoch' WHERE status = 'RUNNING'`);
}

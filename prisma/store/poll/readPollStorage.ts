import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';

export interface PollStorage {
  /** The polled source (domain/workflow/pollShape.ts); null before the first successful poll. */
  source: string | null;
  cursor: Json;
  /** The remote side asked not to be polled yet. */
  mustWait: boolean;
  /** The transaction that enabled the trigger or set this source; a text, as it may exceed JSON's safe integers. */
  sinceTransaction: string;
  /** The engine's workflow of the latest poll, if that found nothing new. */
  idleWorkflowId: string | null;
  idleRunId: string | null;
}

/** Undefined if the workflow has no schedule. */
export async function readPollStorage(
  database: Database,
  workspaceId: string,
  workflowId: string,
): Promise<PollStorage | undefined> {
  const [row] = await database.$queryRaw<PollStorage[]>`
    SELECT p.source, p.cursor, coalesce(p.not_before > now(), false) AS "mustWait",
      s.since_transaction::text AS "sinceTransaction", p.idle_workflow_id AS "idleWorkflowId", p.idle_run_id AS "idleRunId"
    FROM workflow_schedules s LEFT JOIN poll_storage p ON p.workflow_id = s.workflow_id
    WHERE s.workflow_id = ${workflowId}::uuid AND s.workspace_id = ${workspaceId}::uuid`;
  return row;
}

export async function unseenKeys(
  database: Database,
  { workflowId, source }: { workflowId: string; source: string },
  keyHashes: readonly string[],
): Promise<Set<string>> {
  const rows = await database.$queryRaw<{ key: string }[]>`
    SELECT k.key FROM unnest(${keyHashes}::text[]) AS k (key)
    WHERE NOT EXISTS (
      SELECT FROM poll_seen_keys s
      WHERE s.workflow_id = ${workflowId}::uuid AND s.source = ${source} AND s.key_hash = k.key)`;
  return new Set(rows.map(({ key }) => key));
}

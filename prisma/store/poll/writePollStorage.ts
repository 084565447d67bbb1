import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';

export interface PolledWorkflow {
  workspaceId: string;
  workflowId: string;
  source: string;
}

export interface EngineRun {
  workflowId: string;
  runId: string;
}

/** Marks keys as seen, after their executions exist. */
export async function addSeenKeys(
  database: Database,
  { workflowId, source }: PolledWorkflow,
  keyHashes: readonly string[],
): Promise<void> {
  await database.$executeRaw`
    INSERT INTO poll_seen_keys (workflow_id, source, key_hash)
    SELECT ${workflowId}::uuid, ${source}, k.key FROM unnest(${keyHashes}::text[]) WITH ORDINALITY AS k (key, at)
    ORDER BY k.at
    ON CONFLICT DO NOTHING`;
}

/** Records a successful poll: its cursor, the keys to remember without a start, and its engine workflow if idle. */
export async function storePoll(
  database: Database,
  { workspaceId, workflowId, source }: PolledWorkflow,
  { cursor, keyHashes, idle }: { cursor: Json; keyHashes: readonly string[]; idle: EngineRun | undefined },
): Promise<void> {
  await database.$executeRaw`
    WITH seen AS (
      INSERT INTO poll_seen_keys (workflow_id, source, key_hash)
      SELECT ${workflowId}::uuid, ${source}, k.key FROM unnest(${keyHashes}::text[]) WITH ORDINALITY AS k (key, at)
      ORDER BY k.at
      ON CONFLICT DO NOTHING
    )
    INSERT INTO poll_storage (workflow_id, workspace_id, source, cursor, last_polled_at, idle_workflow_id, idle_run_id)
    VALUES (${workflowId}::uuid, ${workspaceId}::uuid, ${source}, ${JSON.stringify(cursor)}::jsonb, now(),
      ${idle?.workflowId ?? null}, ${idle?.runId ?? null})
    ON CONFLICT (workflow_id) DO UPDATE SET source = excluded.source, cursor = excluded.cursor,
      idle_workflow_id = excluded.idle_workflow_id, idle_run_id = excluded.idle_run_id,
      last_polled_at = excluded.last_polled_at, last_error = NULL, not_before = NULL`;
}

/** Records the failure of a poll, for users; cursor and seen keys stay. */
export async function storePollFailure(
  database: Database,
  { workspaceId, workflowId }: Omit<PolledWorkflow, 'source'>,
  { code, message, retryAfterMs }: { code: string; message: string; retryAfterMs?: number | undefined },
): Promise<void> {
  const error = JSON.stringify({ code, message });
  await database.$executeRaw`
    INSERT INTO poll_storage AS p (workflow_id, workspace_id, last_polled_at, last_error, not_before)
    VALUES (${workflowId}::uuid, ${workspaceId}::uuid, now(), ${error}::jsonb,
      now() + make_interval(secs => ${(retryAfterMs ?? 0) / 1_000}))
    ON CONFLICT (workflow_id) DO UPDATE SET last_polled_at = excluded.last_polled_at,
      last_error = excluded.last_error, not_before = excluded.not_before, idle_workflow_id = NULL, idle_run_id = NULL`;
}

/** Keeps the current keys of `source` and the latest `most` others; deletes those of other sources. */
export async function deleteOldKeys(
  database: Database,
  { workflowId, source }: PolledWorkflow,
  { present, most }: { present: readonly string[]; most: number },
): Promise<void> {
  await database.$executeRaw`
    DELETE FROM poll_seen_keys s WHERE s.workflow_id = ${workflowId}::uuid AND (s.source <> ${source} OR (
      s.key_hash <> ALL (${present}::text[]) AND s.ordinal <= (
        SELECT n.ordinal FROM poll_seen_keys n WHERE n.workflow_id = ${workflowId}::uuid
        ORDER BY n.ordinal DESC OFFSET ${most}::int LIMIT 1)))`;
}

export async function deletePollStorage(database: Database, workspaceId: string, workflowId: string): Promise<void> {
  await database.$executeRaw`
    WITH gone AS (
      DELETE FROM poll_storage WHERE workflow_id = ${workflowId}::uuid AND workspace_id = ${workspaceId}::uuid
    )
    DELETE FROM poll_seen_keys WHERE workflow_id = ${workflowId}::uuid`;
}

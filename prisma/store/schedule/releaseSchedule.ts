import type { Database } from '../../client.ts';
import type { ClaimedSchedule } from './claimSchedules.ts';

/** `applied` is the schedule in the engine now; null: none. */
export async function releaseApplied(
  database: Database,
  { workspaceId, workflowId, revision }: ClaimedSchedule,
  applied: string | null,
): Promise<void> {
  await database.$executeRaw`
    UPDATE workflow_schedules SET applied_revision = ${revision}::bigint, applied = ${applied}, error = NULL,
      checked_at = now(), claimed_until = now()
    WHERE workflow_id = ${workflowId}::uuid AND workspace_id = ${workspaceId}::uuid`;
}

/** Releases an unsynchronized schedule for a next try in `againInMs`. `error`: the engine's message, for users. */
export async function releaseUndone(
  database: Database,
  { workspaceId, workflowId }: ClaimedSchedule,
  { againInMs, error }: { againInMs: number; error?: string },
): Promise<void> {
  await database.$executeRaw`
    UPDATE workflow_schedules SET claimed_until = now() + make_interval(secs => ${againInMs / 1_000}),
      error = ${error ?? null}
    WHERE workflow_id = ${workflowId}::uuid AND workspace_id = ${workspaceId}::uuid`;
}

export async function deleteSchedule(database: Database, workspaceId: string, workflowId: string): Promise<void> {
  await database.workflowSchedule.deleteMany({ where: { workflowId, workspaceId } });
}

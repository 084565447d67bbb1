import type { Database } from '../../client.ts';
import type { ClaimedSchedule } from './claimSchedules.ts';

/** The schedule in the engine now; null: none. */
export async function releaseApplied(
  database: Database,
  { workspaceId, workflowId, revision }: ClaimedSchedule,
  applied: string | null,
): Promise<void> {
  // Raw: times are the database's clock, by which others claim.
  await database.$executeRaw`
    UPDATE workflow_schedules SET applied_revision = ${revision}::bigint, applied = ${applied}, error = NULL,
      checked_at = now(), claimed_until = now()
    WHERE workflow_id = ${workflowId}::uuid AND workspace_id = ${workspaceId}::uuid`;
}

/** Not done: the next try may come in `againInMs`. `error`: the engine's message, for people. */
export async function releaseUndone(
  database: Database,
  { workspaceId, workflowId }: ClaimedSchedule,
  { againInMs, error }: { againInMs: number; error?: string },
): Promise<void> {
  // Raw: the next try comes by the database's clock.
  await database.$executeRaw`
    UPDATE workflow_schedules SET claimed_until = now() + make_interval(secs => ${againInMs / 1_000}),
      error = ${error ?? null}
    WHERE workflow_id = ${workflowId}::uuid AND workspace_id = ${workspaceId}::uuid`;
}

/** Deletes the row of a deleted workflow, once the engine has deleted the schedule too. */
export async function deleteSchedule(database: Database, workspaceId: string, workflowId: string): Promise<void> {
  await database.workflowSchedule.deleteMany({ where: { workflowId, workspaceId } });
}

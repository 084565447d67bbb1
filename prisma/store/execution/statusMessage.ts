import type { RevealSecrets, StoredSecret } from '../../../domain/execution/keptSecret.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { SECRETS_SQL } from './secrets.ts';
import { APPROVAL_WAITS_OF_EXECUTION, CONNECTION_WAITS_OF_EXECUTION, WAITS_FOR_APPROVAL } from './stepWaits.ts';
import { NO_WORKER_POLLS, WORKER_WAITS_OF_EXECUTION } from './workerWaits.ts';

/** Computed when it is read, because the reason for holding an execution may change while it waits. */
const MESSAGE = Prisma.sql`CASE WHEN t.held THEN coalesce((
    SELECT CASE
      WHEN w.is_paused THEN 'Held: the workflow is paused'
      WHEN w.max_concurrent IS NOT NULL THEN 'Held: ' || (
        SELECT count(*) FROM executions o
        WHERE o.workflow_id = w.id AND o.limited AND NOT o.held AND o.stopped_at IS NULL
      ) || ' of ' || w.max_concurrent || ' executions run' END
    FROM (SELECT id, is_paused, max_concurrent FROM workflows
      UNION ALL SELECT id, false, max_concurrent FROM deleted_workflows) w WHERE w.id = t.workflow_id), 'Held: its turn comes')
  WHEN t.status = 'WAITING' AND EXISTS (SELECT FROM ${CONNECTION_WAITS_OF_EXECUTION}) THEN (
    SELECT 'Waits for the connection "' || coalesce(min(c.name), 'that was deleted') || '" to be authorized again'
    FROM ${CONNECTION_WAITS_OF_EXECUTION})
  WHEN t.status = 'WAITING' AND EXISTS (SELECT FROM ${WORKER_WAITS_OF_EXECUTION}) THEN (
    SELECT ${NO_WORKER_POLLS} || min(s.task_queue) FROM ${WORKER_WAITS_OF_EXECUTION})
  WHEN t.status = 'WAITING' THEN ${WAITS_FOR_APPROVAL}
  ELSE t.status_message END`;

/** Has secrets, because it may contain the error of a failed step. */
export const STATUS_MESSAGE = Prisma.sql`CASE WHEN t.held OR t.status_message IS NOT NULL
  OR (t.status = 'WAITING' AND (EXISTS (SELECT FROM ${CONNECTION_WAITS_OF_EXECUTION})
    OR EXISTS (SELECT FROM ${APPROVAL_WAITS_OF_EXECUTION}) OR EXISTS (SELECT FROM ${WORKER_WAITS_OF_EXECUTION}))) THEN
  json_build_object('message', ${MESSAGE}, 'secrets', CASE WHEN t.held THEN '[]' ELSE ${SECRETS_SQL} END) END`;

export function shownStatusMessage(json: Json, open: RevealSecrets): string | null {
  if (json === null) return null;
  const { message, secrets } = json as { message: string; secrets: StoredSecret[] };
  return maskSecrets(message, open(secrets));
}

/** Null if the execution has no status message or does not exist. */
export async function readStatusMessage(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<string | null> {
  const [row] = await database.$queryRaw<{ statusMessage: Json }[]>`
    SELECT ${STATUS_MESSAGE} AS "statusMessage"
    FROM executions t WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  return shownStatusMessage(row?.statusMessage ?? null, database.revealSecrets);
}

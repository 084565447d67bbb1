import type { Credential } from '../../../domain/access/credential.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { isoTime } from '../resource.ts';
import { authorOf } from '../workflow/versionResource.ts';
import { notifyOf } from './recordProgress.ts';

/** The statuses of executions that count as failures and can be acknowledged. */
export const IS_FAILURE = Prisma.sql`t.status IN ('FAILED', 'TIMED_OUT')`;

export const ACKNOWLEDGED = Prisma.sql`t.acknowledged_at IS NOT NULL`;

const BY = authorOf({
  type: Prisma.sql`t.acknowledged_by_type`,
  id: Prisma.sql`t.acknowledged_by_id`,
  workspace: Prisma.sql`t.workspace_id`,
});

/** `{at, by: {type, id, name?}, note}` of execution `t`, or null. The name is absent if the person or key is deleted. */
export const ACKNOWLEDGED_SQL = Prisma.sql`CASE WHEN ${ACKNOWLEDGED} THEN json_build_object(
  'at', ${isoTime(Prisma.sql`t.acknowledged_at`)}, 'note', t.acknowledged_note, 'by', ${BY}) END`;

/** Has no effect on an execution that has not failed, or that was acknowledged before: the first note stays. */
export async function writeAcknowledgement(
  database: Database,
  workspaceId: string,
  executionId: string,
  { by, note }: { by: Credential; note: string | null },
): Promise<void> {
  // Raw: the condition, the write and its notification are one statement.
  await rowsOf(
    database,
    Prisma.sql`WITH t AS (
      UPDATE executions t SET acknowledged_at = now(), acknowledged_by_type = ${by.type},
        acknowledged_by_id = ${by.id}::uuid, acknowledged_note = ${note}, updated_at = now(), revision = revision + 1
      WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid AND ${IS_FAILURE} AND NOT ${ACKNOWLEDGED}
      RETURNING t.id, t.workspace_id, t.revision, t.status, t.response IS NOT NULL AS responded, t.notice, t.followed_until
    ) SELECT ${notifyOf(Prisma.sql`t`)} FROM t`,
  );
}

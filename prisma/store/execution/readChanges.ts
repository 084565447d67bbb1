import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { feedStatus } from '../turn/notifyTurn.ts';
import type { Change } from './recordProgress.ts';

/** The present state of these executions and turns, for the change feed's net; of all workspaces: the ids come from waiters. */
export async function readChanges(database: Database, executionIds: string[]): Promise<Change[]> {
  // Raw: of a response only whether there is one is read: it may be long.
  return database.$queryRaw<Change[]>`
    SELECT id AS "executionId", revision, status, response IS NOT NULL AS responded
    FROM executions WHERE id = ANY (${executionIds}::uuid[])
    UNION ALL
    SELECT id, revision, ${feedStatus(Prisma.sql`status`)}, false FROM task_runs WHERE id = ANY (${executionIds}::uuid[])`;
}

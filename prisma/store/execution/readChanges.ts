import type { Database } from '../../client.ts';
import type { Change } from './recordProgress.ts';

/** The present state of these executions, for the change feed's net; of all workspaces: the ids come from waiters. */
export async function readChanges(database: Database, executionIds: string[]): Promise<Change[]> {
  // Raw: of a response only whether there is one is read: it may be long.
  return database.$queryRaw<Change[]>`
    SELECT id AS "executionId", revision, status, response IS NOT NULL AS responded
    FROM executions WHERE id = ANY (${executionIds}::uuid[])`;
}

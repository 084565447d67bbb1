import { FEED_STATUS, type RunStatus } from '../../../domain/agent/runStatus.ts';
import { Prisma } from '../../generated/client.ts';
import type { Change } from '../execution/recordProgress.ts';
import { CHANGE_CHANNEL } from '../execution/recordProgress.ts';

/** The notification of statements in this folder about a written run. */
export interface WrittenRun {
  revision: number;
  status: RunStatus;
}

/** Tells other processes of the run's change, in the words of executions (domain/agent/runStatus.ts). */
export function notifyOfRun(runId: Prisma.Sql, revision: Prisma.Sql, status: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`pg_notify(${CHANGE_CHANNEL},
    ${runId}::text || ' ' || ${revision} || ' ' || ${feedStatus(status)} || ' false')::text AS notified`;
}

/** The status of a run as the change feed sends it. */
export function feedStatus(status: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${JSON.stringify(FEED_STATUS)}::jsonb ->> ${status})`;
}

export function changeOf(runId: string, { revision, status }: WrittenRun): Change {
  return { executionId: runId, revision, status: FEED_STATUS[status], responded: false };
}

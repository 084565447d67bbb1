import { FEED_STATUS, type RunStatus } from '../../../domain/agent/runStatus.ts';
import { Prisma } from '../../generated/client.ts';
import type { Change } from '../execution/recordProgress.ts';
import { CHANGE_CHANNEL } from '../execution/recordProgress.ts';

export interface WrittenRun {
  revision: number;
  status: RunStatus;
}

/** Notifies other processes of the run's change, with the statuses of executions (domain/agent/runStatus.ts). */
export function notifyOfRun(runId: Prisma.Sql, revision: Prisma.Sql, status: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`pg_notify(${CHANGE_CHANNEL},
    ${runId}::text || ' ' || ${revision} || ' ' || ${feedStatus(status)} || ' false')::text AS notified`;
}

export function feedStatus(status: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${JSON.stringify(FEED_STATUS)}::jsonb ->> ${status})`;
}

export function changeOf(runId: string, { revision, status }: WrittenRun): Change {
  return { executionId: runId, revision, status: FEED_STATUS[status], responded: false };
}

import type { ExecutionStatus } from '../domain/execution/status.ts';
import type { Database } from '../prisma/client.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { ENDED } from '../prisma/store/execution/endedStatus.ts';

const COLUMNS = Prisma.sql`e.id, e.status, e.workflow_id, e.status_message, e.failed_node_id`;

/** Selects an execution, its sub-workflows, and the error workflows of its failures. */
const LED_TO = (executionId: string) => Prisma.sql`
  WITH RECURSIVE led AS (
    SELECT ${COLUMNS} FROM executions e WHERE e.id = ${executionId}::uuid
    UNION
    SELECT ${COLUMNS} FROM led l
    LEFT JOIN failure_handlings f ON f.execution_id = l.id
    JOIN executions e ON e.parent_execution_id = l.id OR e.id = f.handler_execution_id
  )`;

export interface CaseExecution {
  id: string;
  status: ExecutionStatus;
  slug: string;
  statusMessage: string | null;
  /** The step that ended it. */
  failedNodeId: string | null;
}

export function executionsOfCase(database: Database, executionId: string): Promise<CaseExecution[]> {
  return database.$queryRaw<CaseExecution[]>`${LED_TO(executionId)}
    SELECT l.id, l.status, coalesce(w.slug, '') AS slug, l.status_message AS "statusMessage",
      l.failed_node_id AS "failedNodeId"
    FROM led l LEFT JOIN workflows w ON w.id = l.workflow_id`;
}

/** Returns the executions that have not ended. A failure whose error workflow has not started yet counts as PENDING. */
export function openOfCase(database: Database, executionId: string): Promise<Pick<CaseExecution, 'id' | 'status'>[]> {
  return database.$queryRaw<Pick<CaseExecution, 'id' | 'status'>[]>`${LED_TO(executionId)}
    SELECT l.id, l.status FROM led l WHERE l.status NOT IN ${ENDED}
    UNION ALL
    SELECT l.id, 'PENDING' FROM led l JOIN failure_handlings f ON f.execution_id = l.id AND f.status = 'PENDING'`;
}

import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { WebhookResponse } from '../../../domain/execution/stepRecord.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { type ProgressWrite, progressCall } from './progressWrite.ts';

/** A visible change of an execution, as the change feed tells it. */
export interface Change {
  executionId: string;
  revision: number;
  status: ExecutionStatus;
  /** A `respond` node has answered. */
  responded: boolean;
  /** What the write itself said: known to listeners in the process that wrote, and spares them a read. */
  result?: ExecutionResult;
}

/** What a synchronous caller gets. */
export interface ExecutionResult {
  status: ExecutionStatus;
  statusMessage: string | null;
  output: Json;
  response: WebhookResponse | null;
}

export const CHANGE_CHANNEL = 'perdure_change';

/** Tells other processes of the row's change; what listens is engine/changeFeed.ts. */
export function notifyOf(row: Prisma.Sql, executionId: string): Prisma.Sql {
  return Prisma.sql`pg_notify(${CHANGE_CHANNEL},
    ${executionId}::text || ' ' || ${row}.revision || ' ' || ${row}.status || ' ' || ${row}.responded)::text AS notified`;
}

/** Only a write that ends the execution knows its result; an answer that an earlier write gave, it does not. */
function resultOf({ close, response }: ProgressWrite): { result?: ExecutionResult } {
  if (!close) return {};
  const { status, statusMessage = null, output = null } = close;
  return { result: { status, statusMessage, output, response: response ?? null } };
}

/** Writes steps, questions and status in one statement. Undefined when the execution has ended already. */
export async function recordProgress(
  database: Database,
  workspaceId: string,
  executionId: string,
  write: ProgressWrite,
): Promise<Change | undefined> {
  const [row] = await database.$queryRaw<Omit<Change, 'executionId'>[]>`
    SELECT revision, status, responded, ${notifyOf(Prisma.sql`c`, executionId)}
    FROM ${progressCall(workspaceId, executionId, write)} c`;
  return (
    row && { executionId, revision: row.revision, status: row.status, responded: row.responded, ...resultOf(write) }
  );
}

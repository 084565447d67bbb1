import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { CreatedExecution, VariableSelection } from '../execution/createExecution.ts';
import { isoTime } from '../resource.ts';

export interface BatchTaker {
  workspaceId: string;
  queueId: string;
  workflowId: string;
  versionId: string;
  variables: VariableSelection;
  /** Labels are computed afterwards. */
  isLabelled?: boolean;
  /** Ids of the new executions, one for each batch. */
  executionIds: readonly string[];
  /** Most bytes of data and metadata in one batch. */
  mostBytes: number;
}

/** An execution with its items as `trigger`. */
export interface TakenBatch extends CreatedExecution {
  executionId: string;
  timeoutMs: number | null;
  limited: boolean;
  trigger: Json;
}

/** Items of a queue become executions of a workflow, as many as items and room there are; in their order. */
export async function takeBatches(database: Database, taker: BatchTaker): Promise<TakenBatch[]> {
  const { workspaceId, queueId, workflowId, versionId, variables, isLabelled = false, executionIds, mostBytes } = taker;
  const names = variables === 'all' ? null : variables.names;
  // Raw: one call of the function that decides which items are taken, and writes their executions with them.
  return rowsOf<TakenBatch>(
    database,
    Prisma.sql`
    SELECT "executionId", name, "projectId", number, variables, ${isoTime(Prisma.sql`"startedAt"`)} AS "startedAt",
      "timeoutMs", limited, trigger
    FROM take_queue_batches(${workspaceId}::uuid, ${queueId}::uuid, ${workflowId}::uuid, ${versionId}::uuid,
      ${names}::text[], ${[...executionIds]}::uuid[], ${mostBytes}::bigint,
      ${isLabelled ? null : '{}'}::jsonb)`,
  );
}

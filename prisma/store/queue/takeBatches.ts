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
  executionIds: readonly string[];
  mostBytes: number;
}

export interface TakenBatch extends CreatedExecution {
  executionId: string;
  timeoutMs: number | null;
  limited: boolean;
  trigger: Json;
}

/** Turns items of a queue into executions of a workflow, in order, as far as there are items and room. */
export async function takeBatches(database: Database, taker: BatchTaker): Promise<TakenBatch[]> {
  const { workspaceId, queueId, workflowId, versionId, variables, isLabelled = false, executionIds, mostBytes } = taker;
  const names = variables === 'all' ? null : variables.names;
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

import type { StepRecord } from '../../../domain/execution/stepRecord.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { progressCall } from './progressWrite.ts';
import type { Change, Noted } from './recordProgress.ts';
import { type ContextSelection, contextColumns, type RunContext } from './runContext.ts';

/** `context.steps` are the rows before the write, so that a step that an earlier try finished is visible. */
export async function beginAction(
  database: Database,
  workspaceId: string,
  executionId: string,
  step: StepRecord,
  reads: ContextSelection,
): Promise<{ context: RunContext; change: Change | undefined } | undefined> {
  const [row] = await rowsOf<RunContext & Noted & { revision: number | null; newStatus: Change['status'] }>(
    database,
    Prisma.sql`
    SELECT ${contextColumns(reads)}, c.revision, c.status AS "newStatus", c.noted
    FROM executions e LEFT JOIN ${progressCall(workspaceId, executionId, { steps: [step] })} c ON true
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid`,
  );
  if (!row) return undefined;
  const { revision, newStatus, noted, ...context } = row;
  if (noted) database.observer.progressed(noted);
  const change = revision === null ? undefined : { executionId, revision, status: newStatus, responded: false };
  return { context, change };
}

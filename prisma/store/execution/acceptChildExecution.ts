import type { Keeping } from '../../../domain/execution/executionRetry.ts';
import { NO_LABELS } from '../../../domain/execution/labels.ts';
import type { Progress } from '../../../domain/execution/progress.ts';
import type { StartedByType } from '../../../domain/execution/startedBy.ts';
import { traceText } from '../../../domain/trace/trace.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { CreatedWorkflowExecution, NewExecution } from './createExecution.ts';
import { keepOf } from './createRetry.ts';
import { keepSecrets, rootOf } from './secrets.ts';

export interface NewChildExecution extends Omit<NewExecution, 'requestId' | 'startedBy'> {
  startedBy: StartedByType;
  parentExecutionId?: string | undefined;
  /** The engine's id of the workflow that starts it. */
  starterId: string;
  requestId?: string | undefined;
  earlier?: { executionId: string; keeping: Keeping; most: number };
}

export type AcceptedChildRow = Pick<CreatedWorkflowExecution, 'timeoutMs' | 'held' | 'limited'> & {
  progress: Progress | null;
  takesOver: boolean;
};

export async function acceptChildExecution(
  database: Database,
  workspaceId: string,
  { workflowId, versionId }: { workflowId: string; versionId: string },
  execution: NewChildExecution,
): Promise<AcceptedChildRow | undefined> {
  const {
    id,
    trigger,
    variables,
    requestId = null,
    startedBy,
    parentExecutionId = null,
    starterId,
    secrets = [],
    labels = NO_LABELS,
    earlier,
    trace,
  } = execution;
  const names = variables === 'all' ? null : variables.names;
  const call = Prisma.sql`accept_child_execution(${workspaceId}::uuid, ${workflowId}::uuid, ${versionId}::uuid,
      ${id}::uuid, ${JSON.stringify(trigger)}::jsonb, ${names}::text[], ${requestId}, ${startedBy},
      ${parentExecutionId}::uuid, ${starterId}, ${earlier?.executionId ?? null}::uuid, ${earlier ? JSON.stringify(earlier.keeping.progress) : null}::jsonb,
      ${earlier ? keepOf(earlier.keeping, earlier.most) : Prisma.sql`NULL`}, ${JSON.stringify(labels)}::jsonb,
      ${trace ? traceText(trace) : null})`;
  const root = parentExecutionId === null ? Prisma.sql`${id}::uuid` : rootOf(workspaceId, parentExecutionId);
  const [row] = await database.$queryRaw<AcceptedChildRow[]>(
    secrets.length === 0
      ? Prisma.sql`SELECT "timeoutMs", held, limited, progress, "takesOver" FROM ${call}`
      : Prisma.sql`WITH c AS MATERIALIZED (SELECT * FROM ${call}),
          secrets AS (${keepSecrets(workspaceId, root, secrets, Prisma.sql`1 FROM c`)})
        SELECT "timeoutMs", held, limited, progress, "takesOver" FROM c`,
  );
  return row;
}

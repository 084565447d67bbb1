import type { UIMessage, UIMessageChunk } from 'ai';
import type { ApprovalAnswer } from '../../../domain/agent/approvals.ts';
import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { Usage } from '../../../domain/agent/usage.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { StepOfRun } from './openAttempt.ts';

export interface OpenTurn {
  status: RunStatus;
  stopRequested: boolean;
  messageId: string;
  approvals: ApprovalAnswer[] | null;
  steps: StepOfRun[];
  /** Usage of the turns of other agents that it has called. */
  childUsages: Usage[];
  /** Usage of earlier turns of its message. */
  earlierUsages: Usage[];
  /** Null unless it continues a message. */
  message: UIMessage | null;
  chunks: UIMessageChunk[];
}

export async function readOpenTurn(
  database: Database,
  workspaceId: string,
  runId: string,
): Promise<OpenTurn | undefined> {
  // Raw: reads message and chunks from one snapshot.
  const [row] = await rowsOf<Omit<OpenTurn, 'chunks'> & { groups: UIMessageChunk[][] }>(
    database,
    Prisma.sql`
    SELECT r.status, r.stop_requested_at IS NOT NULL AS "stopRequested", r.message_id AS "messageId", r.approvals, r.steps,
      COALESCE((SELECT jsonb_agg(o.usage) FROM task_runs o WHERE o.parent_run_id = r.id AND o.usage IS NOT NULL), '[]'::jsonb)
        AS "childUsages",
      COALESCE((SELECT jsonb_agg(e.usage) FROM task_runs e
        WHERE e.task_id = r.task_id AND e.message_id = r.message_id AND e.number < r.number AND e.usage IS NOT NULL), '[]'::jsonb)
        AS "earlierUsages",
      (SELECT jsonb_strip_nulls(jsonb_build_object('id', m.id, 'role', m.role, 'metadata', m.metadata))
          || jsonb_build_object('parts', m.parts)
        FROM task_messages m WHERE m.task_id = r.task_id AND m.id = r.message_id) AS message,
      COALESCE((SELECT jsonb_agg(c.payload ORDER BY c.sequence) FROM run_chunks c WHERE c.run_id = r.id), '[]'::jsonb) AS groups
    FROM task_runs r WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid`,
  );
  if (!row) return undefined;
  const { groups, ...turn } = row;
  return { ...turn, chunks: groups.flat() };
}

import type { ApprovalAnswer } from '../../../domain/agent/approvals.ts';
import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { WaitingStep } from '../../../domain/agent/turnCalls.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun } from './notifyTurn.ts';

/** The arguments of accept_turn; the caller chooses the ids. */
export type NewTurn = {
  /** Id of the assistant's message; ignored for an approval, which continues a message. */
  messageId: string;
  /** Whether it waits behind the running turn; otherwise it is attached to that. */
  queues: boolean;
  requestId: string;
  /** Its parent in a trace (domain/trace/trace.ts); absent: it gets its own trace. */
  trace?: string;
  /** The caller. A caller with a grant sees only its own tasks, and the message counts against its grant. */
  userId?: string;
  apiKeyId?: string;
  granted: boolean;
  /** The task's id is derived, so no other caller may have created a task with it. */
  own?: boolean;
  /** The turn that called the agent, with its task's row; the new task belongs to that task. */
  parentRunId?: string;
  parentTaskId?: string;
  parentExecutionId?: string;
  step?: WaitingStep;
} & (
  | { kind: 'message'; message: { id: string; parts: unknown[]; metadata?: Json }; replaces: boolean }
  | { kind: 'regenerate'; target?: string }
  | { kind: 'approval'; target?: string; answers: readonly ApprovalAnswer[] }
);

export interface AcceptedTurn {
  outcome: 'accepted' | 'attached' | 'absent' | 'capped' | 'busy' | 'unknown' | 'exists' | 'unasked';
  /** Id of the accepted turn, of the running one, or of the one that already has the message. */
  runId: string | null;
  revision: number;
  status: RunStatus | null;
  /** Only with `capped`. */
  retryAfterMs: string | null;
}

export async function acceptTurn(
  database: Database,
  workspaceId: string,
  { agentId, taskId, runId }: { agentId: string; taskId: string; runId: string },
  turn: NewTurn,
): Promise<AcceptedTurn> {
  const notified = notifyOfRun(Prisma.sql`a."runId"`, Prisma.sql`a.revision`, Prisma.sql`a.status`);
  const [row] = await rowsOf<AcceptedTurn>(
    database,
    Prisma.sql`SELECT a.*, CASE WHEN a.outcome = 'accepted' THEN (SELECT notified FROM (SELECT ${notified}) n) END
      FROM accept_turn(${workspaceId}::uuid, ${agentId}::uuid, ${taskId}, ${runId}::uuid, ${JSON.stringify(turn)}::jsonb) a`,
  );
  if (!row) throw new Error('accept_turn answers a row');
  return row;
}

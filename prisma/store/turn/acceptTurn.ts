import type { ApprovalAnswer } from '../../../domain/agent/approvals.ts';
import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { WaitingStep } from '../../../domain/agent/turnCalls.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun } from './notifyTurn.ts';

/** The arguments of accept_turn; the ids are chosen before. */
export type NewTurn = {
  /** Id of the assistant's message; for an approval the continued message counts. */
  messageId: string;
  /** It waits behind the running turn; otherwise it is attached to that. */
  queues: boolean;
  requestId: string;
  /** Where it begins in a trace (domain/trace/trace.ts); absent: in one of its own. */
  trace?: string;
  /** The caller; a caller with a grant sees only its own tasks, and the message counts against its grant. */
  userId?: string;
  apiKeyId?: string;
  granted: boolean;
  /** The id of the task is derived: nobody else may have made one under it. */
  own?: boolean;
  /** The turn that called the agent, with the row of its task: the task that is made is a part of that. */
  parentRunId?: string;
  parentTaskId?: string;
  /** The execution whose step it is. */
  parentExecutionId?: string;
  /** That step. */
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
  /** With `capped`. */
  retryAfterMs: string | null;
}

/** Accepts a turn of an agent's task in one statement; see accept_turn in prisma/sql/21-turns.sql. */
export async function acceptTurn(
  database: Database,
  workspaceId: string,
  { agentId, taskId, runId }: { agentId: string; taskId: string; runId: string },
  turn: NewTurn,
): Promise<AcceptedTurn> {
  const notified = notifyOfRun(Prisma.sql`a."runId"`, Prisma.sql`a.revision`, Prisma.sql`a.status`);
  // Raw: one call of a function decides under the lock of the task.
  const [row] = await rowsOf<AcceptedTurn>(
    database,
    Prisma.sql`SELECT a.*, CASE WHEN a.outcome = 'accepted' THEN (SELECT notified FROM (SELECT ${notified}) n) END
      FROM accept_turn(${workspaceId}::uuid, ${agentId}::uuid, ${taskId}, ${runId}::uuid, ${JSON.stringify(turn)}::jsonb) a`,
  );
  if (!row) throw new Error('accept_turn answers a row');
  return row;
}

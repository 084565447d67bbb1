import type { UIMessage, UIMessageChunk } from 'ai';
import type { ApprovalAnswer } from '../../../domain/agent/approvals.ts';
import type { Usage } from '../../../domain/agent/usage.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { AgentForTurn } from '../agent/readAgentForTurn.ts';
import type { SealedConnection } from '../connection/findSealedConnection.ts';
import type { StoredCall } from './toolCalls.ts';

/** A model call that has ended, as the run remembers it. */
export interface StepOfRun {
  step: number;
  finishReason: string;
  usage: Usage;
  /** The model is to be asked again. */
  goesOn: boolean;
  /** When it was asked, and when its answer was complete: epoch milliseconds. */
  times?: readonly [number, number];
}

/** A model call of a turn, and its inputs. */
export interface OpenedAttempt {
  stopRequested: boolean;
  attempt: number;
  sequence: number;
  steps: StepOfRun[];
  /** Tokens that turns of other agents have taken that this one has called. */
  calledTokens: number;
  /** Of its row. */
  taskId: string;
  messageId: string;
  /** As its row has it (domain/trace/trace.ts). */
  trace: string | null;
  /** Tokens of a request at most, since the provider has refused a longer one in this turn. */
  contextTokens: number | null;
  /** With which the turn resumes. */
  approvals: ApprovalAnswer[] | null;
  /** Null: it was deleted. */
  agent: AgentForTurn | null;
  /** Oldest first, the turn's own last where it has one: all, or a few more than messageLookbackLimit. */
  messages: UIMessage[];
  /** The turn's chunks without this step: a repeated step replaces its chunks. */
  chunks: UIMessageChunk[];
  /** Tool calls of this step, and of step 0: the ones that a person has answered. */
  calls: StoredCall[];
  /** The connection that the agent names. */
  connection?: SealedConnection;
}

type Row = Omit<OpenedAttempt, 'chunks' | 'connection'> & {
  chunks: UIMessageChunk[][];
  connection: Omit<SealedConnection, 'sealed'> | null;
  credentials: Uint8Array<ArrayBuffer> | null;
};

/**
 * Claims the next attempt of a run: older ones write nothing from now on. Undefined if the run has ended or does not
 * exist.
 */
export async function openAttempt(
  database: Database,
  workspaceId: string,
  runId: string,
  step: number,
): Promise<OpenedAttempt | undefined> {
  // Raw: a function of the migration claims and reads in one statement.
  const [row] = await rowsOf<Row>(
    database,
    Prisma.sql`SELECT * FROM open_attempt(${workspaceId}::uuid, ${runId}::uuid, ${step}::int)`,
  );
  if (!row) return undefined;
  const { chunks, connection, credentials: sealed, ...opened } = row;
  return {
    ...opened,
    chunks: chunks.flat(),
    ...(connection && sealed ? { connection: { ...connection, sealed } } : {}),
  };
}

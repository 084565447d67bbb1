import type { UIMessage, UIMessageChunk } from 'ai';
import type { ApprovalAnswer } from '../../../domain/agent/approvals.ts';
import type { Usage } from '../../../domain/agent/usage.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { AgentForTurn } from '../agent/readAgentForTurn.ts';
import type { SealedConnection } from '../connection/findSealedConnection.ts';
import type { StoredCall } from './toolCalls.ts';

/** A finished model call, as stored in the run. */
export interface StepOfRun {
  step: number;
  finishReason: string;
  usage: Usage;
  /** The model is to be called again. */
  goesOn: boolean;
  /** When the call began and when its response was complete: epoch milliseconds. */
  times?: readonly [number, number];
}

export interface OpenedAttempt {
  stopRequested: boolean;
  attempt: number;
  sequence: number;
  steps: StepOfRun[];
  /** Tokens used by turns of other agents that this turn has called. */
  calledTokens: number;
  taskId: string;
  messageId: string;
  trace: string | null;
  /** Maximum tokens of a request, after the provider has refused a longer one in this turn. */
  contextTokens: number | null;
  approvals: ApprovalAnswer[] | null;
  /** Null: it was deleted. */
  agent: AgentForTurn | null;
  /** Oldest first, the turn's own message last if it has one: all, or a few more than messageLookbackLimit. */
  messages: UIMessage[];
  /** The turn's chunks without this step: a repeated step replaces its chunks. */
  chunks: UIMessageChunk[];
  /** Tool calls of this step and of step 0, which a user has answered. */
  calls: StoredCall[];
  connection?: SealedConnection;
}

type Row = Omit<OpenedAttempt, 'chunks' | 'connection'> & {
  chunks: UIMessageChunk[][];
  connection: Omit<SealedConnection, 'sealed'> | null;
  credentials: Uint8Array<ArrayBuffer> | null;
};

/** Older attempts can no longer write. Undefined if the run has ended or does not exist. */
export async function openAttempt(
  database: Database,
  workspaceId: string,
  runId: string,
  step: number,
): Promise<OpenedAttempt | undefined> {
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

import type { UIMessage, UIMessageChunk } from 'ai';
import type { RunEnd } from '../../../domain/agent/runStatus.ts';
import type { TurnError } from '../../../domain/agent/turnEnd.ts';
import type { Usage } from '../../../domain/agent/usage.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun, type WrittenRun } from './notifyTurn.ts';

export interface StoredTurnEnd {
  status: RunEnd;
  finishReason?: string;
  code?: string;
  error?: TurnError;
  usage: Usage;
  /** The current message; absent if the model has produced nothing. */
  message?: Pick<UIMessage, 'parts' | 'metadata'>;
  closers: readonly UIMessageChunk[];
}

export interface EndedTurn extends WrittenRun {
  status: RunEnd;
  /** The next turn of the task, which must be started. */
  nextRunId: string | null;
  /** The task has no name, and its agent has instructions for one. */
  wantsName: boolean;
}

/** Ends a turn once. Undefined if it has already ended. */
export async function writeTurnEnd(
  database: Database,
  workspaceId: string,
  runId: string,
  end: StoredTurnEnd,
): Promise<EndedTurn | undefined> {
  const notified = notifyOfRun(Prisma.sql`${runId}`, Prisma.sql`e.revision`, Prisma.sql`e.status`);
  const [row] = await rowsOf<EndedTurn>(
    database,
    Prisma.sql`SELECT e.revision, e.status, e."nextRunId", e."wantsName", ${notified}
      FROM end_turn(${workspaceId}::uuid, ${runId}::uuid, ${JSON.stringify(end)}::jsonb) e`,
  );
  if (row) database.observer.turnEnded(row.status);
  return row;
}

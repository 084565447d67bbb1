import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../prisma/databaseErrors.ts';
import { EngineAway } from './engine.ts';

/** What the log says of a row. */
interface Row {
  executionId?: string | null;
  workflowId?: string | null;
  runId?: string;
}

/**
 * Of so many rows in a row the engine says nothing: it is away. Of one alone it may: what asks a workflow of the server's
 * own, such as a schedule, gets no answer while that one is stuck.
 */
const AWAY_AFTER = 3;

/** Whether nothing is said of the row: the engine or the database does not answer. */
export function isAway(error: unknown): boolean {
  return error instanceof EngineAway || isDatabaseUnavailable(error);
}

/**
 * Acts on one row after the other. One for which that fails is logged and holds up no other; false where there was one.
 * Throws what fails for all: the database is away, or the engine is, for several in a row.
 */
export async function rowByRow<R extends Row>(
  log: Logger,
  rows: readonly R[],
  act: (row: R) => Promise<unknown>,
): Promise<boolean> {
  let allDone = true;
  let unanswered = 0;
  for (const row of rows) {
    try {
      await act(row);
      unanswered = 0;
    } catch (error) {
      const away = error instanceof EngineAway;
      if (away) unanswered += 1;
      if (away ? unanswered === AWAY_AFTER : isDatabaseUnavailable(error)) throw error;
      allDone = false;
      const { executionId, workflowId, runId } = row;
      const about = {
        executionId,
        workflowId,
        ...(runId === undefined ? {} : { runId }),
        ...(away ? {} : { err: error }),
      };
      log[away ? 'warn' : 'error'](about, 'a duty failed for one row; the other rows go on');
    }
  }
  return allDone;
}

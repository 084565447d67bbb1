import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../prisma/databaseErrors.ts';
import { EngineAway } from './engineAway.ts';

interface Row {
  executionId?: string | null;
  workflowId?: string | null;
  runId?: string;
}

/**
 * Unanswered calls in a row that mark the engine as unavailable. Calls to the server's own workflows, such as
 * schedules, get no answer while those are stuck.
 */
const AWAY_AFTER = 3;

/** Returns whether the engine or the database does not answer, so the row itself is not at fault. */
export function isAway(error: unknown): boolean {
  return error instanceof EngineAway || isDatabaseUnavailable(error);
}

/** Acts row by row. Logs failures; then returns false. Throws if the database, or repeatedly the engine, is away. */
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
      if (isDatabaseUnavailable(error)) throw error;
      if (error instanceof EngineAway) unanswered += 1;
      if (unanswered === AWAY_AFTER) throw error;
      allDone = false;
      logFailure(log, row, error);
    }
  }
  return allDone;
}

function logFailure(log: Logger, { executionId, workflowId, runId }: Row, error: unknown): void {
  const about = { executionId, workflowId, ...(runId === undefined ? {} : { runId }) };
  const message = 'a duty failed for one row; the other rows go on';
  if (error instanceof EngineAway) log.warn(about, message);
  else log.error({ ...about, err: error }, message);
}

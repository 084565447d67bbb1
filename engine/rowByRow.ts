import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../prisma/databaseErrors.ts';
import { EngineAway } from './engineAway.ts';

/** Log fields of a row. */
interface Row {
  executionId?: string | null;
  workflowId?: string | null;
  runId?: string;
}

/**
 * Unanswered calls in a row after which the engine counts as away. A single call may stay unanswered: a call to a
 * workflow of the server itself, such as a schedule, gets no answer while that workflow is stuck.
 */
const AWAY_AFTER = 3;

/** Whether nothing is said of the row: the engine or the database does not answer. */
export function isAway(error: unknown): boolean {
  return error instanceof EngineAway || isDatabaseUnavailable(error);
}

/**
 * Acts on one row after the other. A failure is logged and does not stop the other rows; returns false after one.
 * Throws if the database is away, or if the engine is away for several rows in a row.
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

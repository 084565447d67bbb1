import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../prisma/unavailable.ts';
import { EngineAway } from './engine.ts';

/** What the log says of a row. */
interface Row {
  executionId?: string | null;
  workflowId?: string | null;
}

/** Whether it fails for all: the engine or the database does not answer. */
export function isAway(error: unknown): boolean {
  return error instanceof EngineAway || isDatabaseUnavailable(error);
}

/**
 * Acts on one row after the other. One for which that fails is logged and holds up no other; false where there was one.
 * Throws what fails for all (isAway).
 */
export async function rowByRow<R extends Row>(
  log: Logger,
  rows: readonly R[],
  act: (row: R) => Promise<unknown>,
): Promise<boolean> {
  let allDone = true;
  for (const row of rows) {
    try {
      await act(row);
    } catch (error) {
      if (isAway(error)) throw error;
      allDone = false;
      const { executionId, workflowId } = row;
      log.error({ executionId, workflowId, err: error }, 'not done for one row; the others go on');
    }
  }
  return allDone;
}

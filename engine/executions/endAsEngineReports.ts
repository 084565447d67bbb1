import type { ExecutionEnd } from '../../domain/execution/stepRecord.ts';
import type { Database } from '../../prisma/client.ts';
import type { OpenExecution } from '../../prisma/store/execution/reconcileQueries.ts';
import { writeExecutionEnd } from '../../prisma/store/execution/writeExecutionEnd.ts';
import type { Engine, EngineState } from '../engine.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';

/**
 * Ends an open row whose workflow has ended without a word, or is not known any more; `ended` is called where it does.
 * Answers whether the engine knows it.
 */
export async function endAsEngineReports(
  { database, engine, feed }: { database: Database; engine: Engine; feed: ChangeFeed },
  row: Pick<OpenExecution, 'executionId' | 'workspaceId' | 'status' | 'cancelRequested'>,
  ended?: () => void,
): Promise<boolean> {
  const state = await engine.describe(row.executionId);
  const end = endOf(state, row);
  const change = end && (await writeExecutionEnd(database, row.workspaceId, row.executionId, end));
  if (change) {
    ended?.();
    feed.publish(change);
  }
  return state.kind !== 'absent';
}

function endOf(
  state: EngineState,
  { status, cancelRequested }: Pick<OpenExecution, 'status' | 'cancelRequested'>,
): ExecutionEnd | undefined {
  if (state.kind === 'running' || (state.kind === 'absent' && status === 'PENDING')) return undefined;
  if (state.kind === 'absent') {
    return { status: 'FAILED', statusMessage: 'The engine does not know this execution any more' };
  }
  // Forestalled, by a process that died over it.
  const neverBegan = status === 'PENDING' && cancelRequested && state.status === 'TIMED_OUT';
  if (neverBegan) return { status: 'CANCELLED', statusMessage: 'Cancelled' };
  return { status: state.status, statusMessage: state.message };
}

import type { ExecutionStatus } from '../../domain/execution/status.ts';
import type { ExecutionEnd } from '../../domain/execution/stepRecord.ts';
import type { Database } from '../../prisma/client.ts';
import type { OpenExecution } from '../../prisma/store/execution/reconcileQueries.ts';
import { writeExecutionEnd } from '../../prisma/store/execution/writeExecutionEnd.ts';
import type { Engine, EngineState } from '../engine.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';

/** Ends an open row whose workflow ended without a write or is unknown. Returns whether the engine knows it. */
export async function endAsEngineReports(
  { database, engine, feed }: { database: Database; engine: Engine; feed: ChangeFeed },
  row: Pick<OpenExecution, 'executionId' | 'workspaceId' | 'status'>,
  ended?: () => void,
): Promise<boolean> {
  const state = await engine.describe(row.executionId);
  const end = endOf(state, row.status);
  const change = end && (await writeExecutionEnd(database, row.workspaceId, row.executionId, end));
  if (change) {
    ended?.();
    feed.publish(change);
  }
  return state.kind !== 'absent';
}

function endOf(state: EngineState, status: ExecutionStatus): ExecutionEnd | undefined {
  if (state.kind === 'running' || (state.kind === 'absent' && status === 'PENDING')) return undefined;
  if (state.kind === 'absent') {
    return { status: 'FAILED', statusMessage: 'The engine does not know this execution any more' };
  }
  return { status: state.status, statusMessage: state.message };
}

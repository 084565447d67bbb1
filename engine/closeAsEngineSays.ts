import type { Closing } from '../domain/execution/stepRecord.ts';
import type { Database } from '../prisma/client.ts';
import { closeExecution } from '../prisma/store/execution/closeExecution.ts';
import type { OpenExecution } from '../prisma/store/execution/reconcileQueries.ts';
import type { ChangeFeed } from './changeFeed.ts';
import type { Engine, EngineState } from './engine.ts';

/** Ends an open row whose workflow has ended without a word, or is not known any more. */
export async function closeAsEngineSays(
  { database, engine, feed }: { database: Database; engine: Engine; feed: ChangeFeed },
  row: OpenExecution,
): Promise<void> {
  const close = closingOf(await engine.describe(row.executionId), row);
  const change = close && (await closeExecution(database, row.workspaceId, row.executionId, close));
  if (change) feed.publish(change);
}

function closingOf(state: EngineState, { status, cancelRequested }: OpenExecution): Closing | undefined {
  if (state.kind === 'running' || (state.kind === 'absent' && status === 'PENDING')) return undefined;
  if (state.kind === 'absent') {
    return { status: 'FAILED', statusMessage: 'The engine does not know this execution any more' };
  }
  // Forestalled, by a process that died over it.
  const neverBegan = status === 'PENDING' && cancelRequested && state.status === 'TIMED_OUT';
  if (neverBegan) return { status: 'CANCELLED', statusMessage: 'Cancelled' };
  return { status: state.status, statusMessage: state.message };
}

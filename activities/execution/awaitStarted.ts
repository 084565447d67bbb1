import { Context } from '@temporalio/activity';
import { isTerminal, type TerminalStatus } from '../../domain/execution/status.ts';
import { awaitStatus } from '../awaitStatus.ts';
import type { ActivityServices } from '../services.ts';
import { withHeartbeat } from '../withHeartbeat.ts';

/** Waits until the row has ended: for a child that somebody else has started. */
export async function awaitExecution(
  services: ActivityServices,
  { executionId }: { workspaceId: string; executionId: string },
): Promise<TerminalStatus> {
  // A deleted execution has no end to report.
  return (await awaitStatus(services, executionId, isTerminal)) ?? 'CANCELLED';
}

const HEARTBEAT_MS = 2_000;
/** Timeout of one call to the engine. */
const LOOK_MS = 10_000;

/** Waits for the end of a workflow that an earlier run of its parent has started. */
export function awaitIterations({ engine }: ActivityServices, { workflowId }: { workflowId: string }): Promise<void> {
  const { cancelled, cancellationSignal } = Context.current();
  const ended = async () => {
    while (!(await engine.untilEnded(workflowId, LOOK_MS))) cancellationSignal.throwIfAborted();
  };
  return withHeartbeat(HEARTBEAT_MS, () => Promise.race([ended(), cancelled]));
}

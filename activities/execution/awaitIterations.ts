import { Context } from '@temporalio/activity';
import { beating } from '../beating.ts';
import type { ActivityServices } from '../services.ts';

const HEARTBEAT_MS = 2_000;
/** Of one question to the engine. */
const LOOK_MS = 10_000;

/** Waits until the workflow has ended: for one that an earlier run of its parent has started. */
export function awaitIterations({ engine }: ActivityServices, { workflowId }: { workflowId: string }): Promise<void> {
  const { cancelled, cancellationSignal } = Context.current();
  const ended = async () => {
    while (!(await engine.untilEnded(workflowId, LOOK_MS))) cancellationSignal.throwIfAborted();
  };
  return beating(HEARTBEAT_MS, () => Promise.race([ended(), cancelled]));
}

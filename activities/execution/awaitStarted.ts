import { Context } from '@temporalio/activity';
import { isTerminal, type TerminalStatus } from '../../domain/execution/status.ts';
import { readStates } from '../../prisma/store/execution/readSnapshot.ts';
import { awaitStatus } from '../awaitStatus.ts';
import type { ActivityServices } from '../services.ts';
import { inWaitPlace } from '../waitPlace.ts';
import { withHeartbeat } from '../withHeartbeat.ts';

/** Waits until the row has ended, for a child that another caller started. */
export function awaitExecution(
  services: ActivityServices,
  { workspaceId, executionId }: { workspaceId: string; executionId: string },
): Promise<TerminalStatus> {
  return inWaitPlace(services, workspaceId, {
    async look() {
      const [now] = await readStates(services.database, [executionId]);
      if (!now) return GONE;
      return isTerminal(now.status) ? now.status : undefined;
    },
    wait: async () => (await awaitStatus(services, executionId, isTerminal)) ?? GONE,
  });
}

/** A deleted execution has no end to report. */
const GONE = 'CANCELLED';

const HEARTBEAT_MS = 2_000;
const LOOK_MS = 10_000;
const SHORT_LOOK_MS = 500;

/** Waits for the end of a workflow that an earlier run of its parent started. */
export async function awaitIterations(
  services: ActivityServices,
  { workspaceId, workflowId }: { workspaceId: string; workflowId: string },
): Promise<void> {
  const { engine } = services;
  const { cancelled, cancellationSignal } = Context.current();
  const ended = async (): Promise<true> => {
    while (!(await engine.untilEnded(workflowId, LOOK_MS))) cancellationSignal.throwIfAborted();
    return true;
  };
  await inWaitPlace(services, workspaceId, {
    look: async () => ((await engine.untilEnded(workflowId, SHORT_LOOK_MS)) ? true : undefined),
    wait: () => withHeartbeat(HEARTBEAT_MS, () => Promise.race([ended(), cancelled])),
  });
}

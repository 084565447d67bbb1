import { Context } from '@temporalio/activity';
import { isTerminal, type TerminalStatus } from '../../domain/execution/status.ts';
import { readChanges } from '../../prisma/store/execution/readChanges.ts';
import { beating } from '../beating.ts';
import type { ActivityServices } from '../services.ts';

const HEARTBEAT_MS = 2_000;

/** Waits until the row has ended: for a child that somebody else has started. The feed's poll is the net. */
export function awaitExecution(
  { database, feed }: ActivityServices,
  { executionId }: { workspaceId: string; executionId: string },
): Promise<TerminalStatus> {
  const { cancelled } = Context.current();
  return beating(HEARTBEAT_MS, async () => {
    let stop = () => {};
    try {
      const ended = new Promise<TerminalStatus>((resolve) => {
        stop = feed.subscribe(executionId, ({ status }) => {
          if (isTerminal(status)) resolve(status);
        });
      });
      const [now] = await readChanges(database, [executionId]);
      if (now && isTerminal(now.status)) return now.status;
      return await Promise.race([ended, cancelled]);
    } finally {
      stop();
    }
  });
}

import type { TurnRef } from '../../domain/agent/turnCalls.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { stopRun } from '../../prisma/store/turn/stopRun.ts';
import type { ActivityServices } from '../services.ts';

/** Asks a turn to stop; one whose time has not come ends at once. */
export async function stopTurn({ database, feed, turns }: ActivityServices, turn: TurnRef): Promise<void> {
  const stopped = await stopRun(database, turn.workspaceId, turn.runId);
  if (!stopped) return;
  feed.publish(changeOf(turn.runId, stopped));
  if (stopped.status === 'RUNNING') await turns.stop(turn);
}

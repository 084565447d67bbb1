import type { TurnRef } from '../../domain/agent/turnCalls.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { stopRun } from '../../prisma/store/turn/stopRun.ts';
import type { TurnEndParts } from './endTurn.ts';

/** Requests a stop of a turn; a queued turn ends at once. */
export async function stopTurn({ database, feed, turns }: TurnEndParts, turn: TurnRef): Promise<void> {
  const stopped = await stopRun(database, turn.workspaceId, turn.runId);
  if (!stopped) return;
  feed.publish(changeOf(turn.runId, stopped));
  if (stopped.status === 'RUNNING') await turns.stop(turn);
}

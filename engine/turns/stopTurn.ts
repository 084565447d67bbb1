import type { TurnRef } from '../../domain/agent/turnCalls.ts';
import type { Database } from '../../prisma/client.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { stopRun } from '../../prisma/store/turn/stopRun.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';
import type { TurnStarter } from './turnStarter.ts';

export interface TurnParts {
  database: Database;
  feed: ChangeFeed;
  turns: TurnStarter;
}

/** Requests a stop of a turn. One that is queued, or asks for an approval on behalf of a step, ends at once. */
export async function stopTurn({ database, feed, turns }: TurnParts, turn: TurnRef): Promise<void> {
  const stopped = await stopRun(database, turn.workspaceId, turn.runId);
  if (!stopped) return;
  feed.publish(changeOf(turn.runId, stopped));
  if (stopped.status === 'RUNNING') await turns.stop(turn);
}

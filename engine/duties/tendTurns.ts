import type { RunEnd } from '../../domain/agent/runStatus.ts';
import type { TurnRef } from '../../domain/agent/turnCalls.ts';
import { NO_USAGE } from '../../domain/agent/usage.ts';
import { endTurn } from '../../prisma/store/turn/endTurn.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { claimOpenTurns, claimUntoldTurns, forgetOldChunks } from '../../prisma/store/turn/reconcileTurns.ts';
import type { EngineState } from '../engine.ts';
import { rowByRow } from '../rowByRow.ts';
import { BATCH, type Duty, type DutyParts, inRounds, SETTLING_MS } from './duty.ts';

/** A turn that runs is compared with the engine at most this often. */
const COMPARE_AGE_MS = 30_000;
/** Followers that are behind read on from what is there. */
const CHUNKS_STAY_MS = 60_000;

type Parts = Pick<DutyParts, 'database' | 'engine' | 'turns' | 'feed' | 'log'>;

/** Turns whose start was lost, and stops of which the engine has not heard. */
export function startTurns(parts: Parts, intervalMs: number): Duty {
  const { database, turns, log } = parts;
  return {
    name: 'start turns that were not started',
    intervalMs,
    async run(stopped) {
      await inRounds(stopped, async () => {
        const untold = await claimUntoldTurns(database, SETTLING_MS, BATCH);
        await rowByRow(log, untold, async ({ hasBegun, ...turn }) => {
          // Also one that has ended there takes a cancellation without a word: so it is asked how it is.
          if (hasBegun) await turns.stop(turn);
          const isStarted = !hasBegun && (await turns.start(turn));
          if (!isStarted) await endAsEngineSays(parts, turn);
        });
        return untold.length === BATCH;
      });
    },
  };
}

/** A turn whose workflow was ended from outside ends as the engine says: what it has streamed is lost with it. */
export function compareTurns(parts: Parts, intervalMs: number): Duty {
  const { database, log } = parts;
  return {
    name: 'compare turns with the engine',
    intervalMs,
    async run() {
      const open = await claimOpenTurns(database, COMPARE_AGE_MS, BATCH);
      await rowByRow(log, open, (turn) => endAsEngineSays(parts, turn));
    },
  };
}

async function endAsEngineSays(
  { database, engine, turns, feed }: Parts,
  { workspaceId, runId }: TurnRef,
): Promise<void> {
  const end = endOf(await engine.describe(runId));
  const ended = end && (await endTurn(database, workspaceId, runId, { ...end, usage: NO_USAGE, closers: [] }));
  if (!ended) return;
  feed.publish(changeOf(runId, ended));
  if (ended.nextRunId !== null) await turns.start({ workspaceId, runId: ended.nextRunId });
}

function endOf(state: EngineState): { status: RunEnd; code?: string } | undefined {
  // Absent: its start is still to come, or is made up for.
  if (state.kind !== 'ended') return undefined;
  if (state.status === 'CANCELLED') return { status: 'STOPPED' };
  return { status: 'FAILED', code: 'ENGINE_ENDED' };
}

/** What was streamed of messages that stand. */
export function forgetChunks({ database }: Pick<Parts, 'database'>, intervalMs: number): Duty {
  return {
    name: 'forget what was streamed',
    intervalMs,
    run: (stopped) => inRounds(stopped, async () => (await forgetOldChunks(database, CHUNKS_STAY_MS, BATCH)) === BATCH),
  };
}

import type { TurnEnd } from '../../domain/agent/turnCalls.ts';
import {
  claimOpenTurns,
  claimUnsentTurns,
  forgetOldChunks,
  type RunningTurn,
} from '../../prisma/store/turn/reconcileTurns.ts';
import type { EngineState } from '../engine.ts';
import { rowByRow } from '../rowByRow.ts';
import { endTurn } from '../turns/endTurn.ts';
import { BATCH, type Duty, type DutyParts, inRounds, SETTLING_MS } from './duty.ts';

/** A turn that runs is compared with the engine at most this often. */
const COMPARE_AGE_MS = 30_000;
/** Slow followers continue from the remaining chunks. */
const CHUNKS_STAY_MS = 60_000;

type Parts = Pick<DutyParts, 'database' | 'engine' | 'turns' | 'feed' | 'log'>;

/** Repeats lost starts of turns, and stops that did not reach the engine. */
export function startTurns(parts: Parts, intervalMs: number): Duty {
  const { database, turns, log } = parts;
  return {
    name: 'start accepted turns',
    intervalMs,
    async run(stopped) {
      await inRounds(stopped, async () => {
        const untold = await claimUnsentTurns(database, SETTLING_MS, BATCH);
        await rowByRow(log, untold, async ({ hasBegun, ...turn }) => {
          const isTold = await (hasBegun ? turns.stop(turn) : turns.start(turn));
          if (!isTold) await endAsEngineSays(parts, turn);
        });
        return untold.length === BATCH;
      });
    },
  };
}

/** Ends a turn whose workflow was ended from outside with the engine's status. The turn keeps its streamed chunks. */
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

async function endAsEngineSays(parts: Parts, { stopRequested, ...turn }: RunningTurn): Promise<void> {
  const state = await parts.engine.describe(turn.runId);
  // Absent: its start is still to come, or is made up for.
  if (state.kind === 'ended') await endTurn(parts, { ...turn, ...endOf(state, stopRequested) });
}

/** Nobody cancels a turn there without its ending by itself: CANCELLED is what somebody has terminated. */
function endOf(
  { status }: Extract<EngineState, { kind: 'ended' }>,
  stopRequested: boolean,
): Pick<TurnEnd, 'status' | 'code'> {
  if (stopRequested) return { status: 'STOPPED' };
  return { status: 'FAILED', code: status === 'CANCELLED' ? 'TERMINATED' : 'ENGINE_ENDED' };
}

/** Deletes the chunks of stored messages. */
export function forgetChunks({ database }: Pick<Parts, 'database'>, intervalMs: number): Duty {
  return {
    name: 'forget streamed chunks',
    intervalMs,
    run: (stopped) => inRounds(stopped, async () => (await forgetOldChunks(database, CHUNKS_STAY_MS, BATCH)) === BATCH),
  };
}

import type { TurnEnd } from '../../domain/agent/turnCalls.ts';
import {
  abandonedTurns,
  anyAbandonedTurn,
  anyOpenTurn,
  anyUnsentTurn,
  claimOpenTurns,
  claimUnsentTurns,
  forgetOldChunks,
  type RunningTurn,
} from '../../prisma/store/turn/reconcileTurns.ts';
import type { EngineState } from '../engine.ts';
import { rowByRow } from '../rowByRow.ts';
import { endTurn } from '../turns/endTurn.ts';
import { stopTurn } from '../turns/stopTurn.ts';
import { BATCH, type Duty, type DutyParts, inRounds, SETTLING_MS, SWEEP_ROUNDS } from './duty.ts';

/** Minimum time between two comparisons of a running turn with the engine. */
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
    due: (buckets) => anyUnsentTurn(SETTLING_MS, buckets),
    async run(stopped, repaired, buckets) {
      await inRounds(stopped, async () => {
        const untold = await claimUnsentTurns(database, SETTLING_MS, buckets, BATCH);
        repaired(untold.length);
        await rowByRow(log, untold, async (turn) => {
          const { workspaceId, runId } = turn;
          const isTold = await turns[turn.hasBegun ? 'stop' : 'start']({ workspaceId, runId });
          if (!isTold) await endAsEngineSays(parts, turn);
        });
        return untold.length === BATCH;
      });
    },
  };
}

/** Stops turns of terminated executions, which would cost money: the engine ends started turns, not queued ones. */
export function stopAbandonedTurns(parts: Parts, intervalMs: number): Duty {
  const { database, log } = parts;
  return {
    name: 'stop turns of ended executions',
    intervalMs,
    due: anyAbandonedTurn,
    async run(stopped, repaired, buckets) {
      await inRounds(stopped, async () => {
        const abandoned = await abandonedTurns(database, buckets, BATCH);
        repaired(abandoned.length);
        await rowByRow(log, abandoned, (turn) => stopTurn(parts, turn));
        return abandoned.length === BATCH;
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
    due: (buckets) => anyOpenTurn(COMPARE_AGE_MS, buckets),
    async run(_stopped, repaired, buckets) {
      const open = await claimOpenTurns(database, COMPARE_AGE_MS, buckets, BATCH);
      await rowByRow(log, open, async (turn) => {
        if (await endAsEngineSays(parts, turn)) repaired(1);
      });
    },
  };
}

async function endAsEngineSays(parts: Parts, turn: RunningTurn): Promise<boolean> {
  const { workspaceId, runId } = turn;
  const end = endOf(await parts.engine.describe(runId), turn);
  if (end) await endTurn(parts, { workspaceId, runId, ...end });
  return end !== undefined;
}

/** CANCELLED means terminated: a turn that is only cancelled ends by itself. */
function endOf(
  state: EngineState,
  { hasBegun, stopRequested }: RunningTurn,
): Pick<TurnEnd, 'status' | 'code'> | undefined {
  // An absent workflow has not been started yet, unless the turn has begun: then nothing else ends it.
  if (state.kind === 'running' || (state.kind === 'absent' && !hasBegun)) return undefined;
  if (stopRequested) return { status: 'STOPPED' };
  const isTerminated = state.kind === 'ended' && state.status === 'CANCELLED';
  return { status: 'FAILED', code: isTerminated ? 'TERMINATED' : 'ENGINE_ENDED' };
}

export function forgetChunks({ database }: Pick<Parts, 'database'>, intervalMs: number): Duty {
  return {
    name: 'forget streamed chunks',
    intervalMs,
    run: (stopped) =>
      inRounds(stopped, async () => (await forgetOldChunks(database, CHUNKS_STAY_MS, BATCH)) === BATCH, SWEEP_ROUNDS),
  };
}

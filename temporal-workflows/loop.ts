import { CancellationScope } from '@temporalio/workflow';
import type { LoopStart, LostIterations, StoppedAt } from '../domain/execution/outcome.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { PlanNode } from '../domain/workflow/plan.ts';
import type { Host } from './host.ts';

/** A loop whose iterations workflows run. */
export interface Loop {
  host: Host;
  node: PlanNode;
  /** The scope in which the loop stands. */
  parent: string;
  loop: LoopStart;
  /** Iterations that have ended, for people at the Temporal UI. */
  ended: number;
}

/** Some of its iterations, from `from` on and before `to`. */
export interface Share {
  from: number;
  to: number;
  concurrency: number;
}

/** How a loop, or a share of it, has ended. `done`: a condition said so before the last of the share. */
export type LoopEnd =
  | { done?: true }
  /** By this iteration. */
  | { failed: number }
  /** Somebody has ended the workflow that ran these. */
  | { lost: LostIterations }
  | { stopped: StoppedAt }
  /** The execution's row had ended. */
  | { closed: TerminalStatus };

export function isOver(end: LoopEnd): boolean {
  return Object.keys(end).length > 0;
}

/**
 * Runs lanes side by side; each does one piece after the other, until there is no next. The first piece that is over, or
 * throws, ends all: no further piece begins, and those that run are cancelled and waited for.
 */
export async function inLanes(
  lanes: number,
  nextPiece: (lane: number) => (() => Promise<LoopEnd>) | undefined,
): Promise<LoopEnd> {
  let first: { over: LoopEnd } | { thrown: unknown } | undefined;
  const scope = new CancellationScope();
  const endAll = (by: typeof first) => {
    if (first) return;
    first = by;
    scope.cancel();
  };
  const run = async (lane: number) => {
    try {
      for (let piece = nextPiece(lane); piece; piece = first ? undefined : nextPiece(lane)) {
        const end = await piece();
        if (isOver(end)) endAll({ over: end });
      }
    } catch (error) {
      endAll({ thrown: error });
    }
  };
  await scope.run(() => Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane))));
  if (!first) return {};
  if ('thrown' in first) throw first.thrown;
  return first.over;
}

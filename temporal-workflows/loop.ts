import { CancellationScope } from '@temporalio/workflow';
import type { LoopStart, StoppedAt } from '../domain/execution/outcome.ts';
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
  | { stopped: StoppedAt }
  /** The execution's row had ended. */
  | { closed: TerminalStatus };

export function isOver(end: LoopEnd): boolean {
  return Object.keys(end).length > 0;
}

/**
 * Runs lanes side by side; each does one piece after the other, until there is no next. The first piece that is over
 * ends all: the others are cancelled and waited for. What a lane throws counts, unless it was cancelled so.
 */
export async function inLanes(
  lanes: number,
  nextPiece: (lane: number) => (() => Promise<LoopEnd>) | undefined,
): Promise<LoopEnd> {
  let over: LoopEnd | undefined;
  const scope = new CancellationScope();
  const run = async (lane: number) => {
    for (let piece = nextPiece(lane); piece && !over; piece = over ? undefined : nextPiece(lane)) {
      const end = await piece();
      if (!isOver(end) || over) continue;
      over = end;
      scope.cancel();
    }
  };
  const results = await scope.run(() => Promise.allSettled(Array.from({ length: lanes }, (_, lane) => run(lane))));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed && !over) throw failed.reason;
  return over ?? {};
}

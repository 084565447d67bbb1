import type { CancellationScope } from '@temporalio/workflow';
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

/** Runs the lanes in the scope and waits for all of them. What they throw counts, unless it was cancelled as over. */
export async function untilOver(
  scope: CancellationScope,
  lanes: (() => Promise<void>)[],
  isEnded: () => boolean,
): Promise<void> {
  const results = await scope.run(() => Promise.allSettled(lanes.map((lane) => lane())));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed && !isEnded()) throw failed.reason;
}

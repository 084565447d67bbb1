import type { IterationEnd } from '../domain/execution/activityCalls.ts';
import type { ExecutionRef } from '../domain/execution/executionRef.ts';
import type { StoppedAt } from '../domain/execution/outcome.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { Plan } from '../domain/workflow/plan.ts';
import type { RemoteActions } from './remoteActivities.ts';
import type { Semaphore } from './semaphore.ts';
import type { Cost } from './workflowBudget.ts';

/** The part of Host that scopes and loops use; an interface, because scopes run loops and loops run scopes. */
export interface ScopeHost {
  readonly ref: ExecutionRef;
  readonly plan: Plan;
  readonly actions: RemoteActions;
  /** A loop takes one for each concurrent iteration after the first. */
  readonly lanes: Semaphore;
  /** `again`: the iteration may have steps already. */
  runIteration(iteration: string, again: boolean): Promise<ScopeEnd>;
  /** Returns how many iterations of this cost may run here, and deducts them from the remaining budget. */
  takeIterations(most: number, each: Cost): number;
  /** Returns whether work of this cost may repeat in this workflow; if so, deducts it from the remaining budget. */
  mayRepeat(cost: Cost): boolean;
  show(): void;
}

export type ScopeEnd =
  /** `loopTooLarge`: the outputs of its loop, its own included, are too large together. */
  { status: IterationEnd; loopTooLarge?: true } | { stopped: StoppedAt } | { endStatus: TerminalStatus };

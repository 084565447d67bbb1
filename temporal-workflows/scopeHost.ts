import type { IterationEnd } from '../domain/execution/activityCalls.ts';
import type { ExecutionRef } from '../domain/execution/executionRef.ts';
import type { StoppedAt } from '../domain/execution/outcome.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { Plan } from '../domain/workflow/plan.ts';
import type { RemoteActions } from './remoteActivities.ts';
import type { Semaphore } from './semaphore.ts';
import type { Cost } from './workflowBudget.ts';

/** The part of the host (host.ts) that scopes and loops use. An interface, because scopes run loops and loops run scopes. */
export interface ScopeHost {
  readonly ref: ExecutionRef;
  readonly plan: Plan;
  readonly actions: RemoteActions;
  /** Lanes of its loops: a loop holds one for each concurrent iteration after the first. */
  readonly lanes: Semaphore;
  /** Runs an iteration of a loop to its end, as a scope that hears of answers. `again`: it may have steps already. */
  runIteration(iteration: string, again: boolean): Promise<ScopeEnd>;
  /** Number of iterations of that cost each that may run here; takes them from the remaining budget. */
  takeIterations(most: number, each: Cost): number;
  /** Whether work of that cost may be repeated in this workflow; if so, takes it from the remaining budget. */
  mayRepeat(cost: Cost): boolean;
  /** For people at the Temporal UI: that somebody is asked, or nobody any more. */
  show(): void;
}

/** How a scope has ended. */
export type ScopeEnd =
  /** `loopTooLarge`: the outputs of its loop, its own included, are too large together. */
  { status: IterationEnd; loopTooLarge?: true } | { stopped: StoppedAt } | { endStatus: TerminalStatus };

import { CancellationScope, sleep, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { ExecutionRef } from '../domain/execution/executionRef.ts';
import type { Progress } from '../domain/execution/progress.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { Plan } from '../domain/workflow/plan.ts';
import { showDetails } from './currentDetails.ts';
import { type InputSubmitted, STATUS_ATTRIBUTE, type StepWoken } from './names.ts';
import { RemoteActions } from './remoteActivities.ts';
import type { ScopeEnd, ScopeHost } from './scopeHost.ts';
import { ScopeRun } from './scopeRun.ts';
import { Semaphore } from './semaphore.ts';
import { StatusDetails } from './statusDetails.ts';
import { AT_ONCE, type Cost, LOOPS_BUDGET, REPEATS_BUDGET, timesIn, without } from './workflowBudget.ts';

/** Delays the write that shows it running after an answer, lest it delay the next step (bench/README.md). */
const SHOWN_LATER_MS = 1_000;

/** A workflow that runs scopes of an execution: the execution's own workflow, or one for some of its iterations. */
export class Host implements ScopeHost {
  readonly ref: ExecutionRef;
  readonly plan: Plan;
  readonly actions = new RemoteActions();
  readonly lanes = new Semaphore(AT_ONCE - 1);
  readonly #scopes = new Map<string, ScopeRun>();
  #shown: string | undefined;
  #isLate = false;
  #hasEnded = false;
  readonly #title: (() => string) | undefined;
  #left: Cost;
  #repeatsLeft = REPEATS_BUDGET;

  /** `title`: for a workflow that runs a part of an execution. `left`: the budget for its loops. */
  constructor(
    { plan, workspaceId, executionId, versionId, again }: ExecutionRef & { plan: Plan },
    title?: () => string,
    left = LOOPS_BUDGET,
  ) {
    this.#title = title;
    this.#left = left;
    this.plan = plan;
    const { runId, firstExecutionRunId } = workflowInfo();
    const isReset = again === true || runId !== firstExecutionRunId;
    this.ref = {
      workspaceId,
      executionId,
      ...(versionId === undefined ? {} : { versionId }),
      ...(isReset ? { again: true } : {}),
    };
    this.showDetails();
  }

  /** Creates a scope that receives signals. `iteration`: absent at the top. */
  enter(iteration?: string, progress?: Progress, again?: boolean): ScopeRun {
    const scope = new ScopeRun(this, iteration, progress, again);
    this.#scopes.set(scope.iteration, scope);
    return scope;
  }

  async runIteration(iteration: string, again: boolean): Promise<ScopeEnd> {
    const scope = this.enter(iteration, undefined, again);
    try {
      return await scope.runIteration();
    } finally {
      this.#scopes.delete(iteration);
    }
  }

  answer(submitted: InputSubmitted): void {
    const scope = this.#scopes.get(submitted.iteration ?? '');
    scope?.branches.post(() => scope.open.questions.answer(submitted));
  }

  woken({ nodeId, iteration = '' }: StepWoken): void {
    const scope = this.#scopes.get(iteration);
    scope?.branches.post(() => scope.open.woken(nodeId));
  }

  takeIterations(most: number, each: Cost): number {
    const taken = Math.min(most, timesIn(this.#left, each));
    this.#left = without(this.#left, each, taken);
    return taken;
  }

  mayRepeat(cost: Cost): boolean {
    if (timesIn(this.#repeatsLeft, cost) === 0) return false;
    this.#repeatsLeft = without(this.#repeatsLeft, cost);
    return true;
  }

  /** Shows the final status, or that a person is asked, in the Temporal UI, which does not derive these itself. */
  show(status?: TerminalStatus): void {
    if (status) {
      this.#hasEnded = true;
      showDetails(() => status);
    }
    const shown = status ?? (this.#isAsking() ? 'NEEDS_INPUT' : 'RUNNING');
    if (shown === this.#shown || (this.#shown === undefined && shown !== 'NEEDS_INPUT')) return;
    if (shown === 'RUNNING') this.#showLater();
    else this.#upsert(shown);
  }

  #showLater(): void {
    if (this.#isLate) return;
    this.#isLate = true;
    // Outside the cancelled scope, so that it always runs.
    void CancellationScope.nonCancellable(async () => {
      await sleep(SHOWN_LATER_MS, { summary: 'Shows that it runs again' });
      this.#isLate = false;
      if (!this.#hasEnded && !this.#isAsking()) this.#upsert('RUNNING');
    });
  }

  #upsert(shown: string): void {
    this.#shown = shown;
    upsertSearchAttributes([{ key: STATUS_ATTRIBUTE, value: shown }]);
  }

  showDetails(): void {
    showDetails(() => {
      const details = new StatusDetails(this.#title?.());
      for (const scope of this.#scopes.values()) scope.open.describe(details);
      return details.text;
    });
  }

  #isAsking(): boolean {
    for (const { open } of this.#scopes.values()) if (open.questions.isAsking) return true;
    return false;
  }
}

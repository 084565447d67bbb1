import { CancellationScope, sleep, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { ExecutionRef } from '../domain/execution/executionRef.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { Plan } from '../domain/workflow/plan.ts';
import { showDetails } from './currentDetails.ts';
import { type InputSubmitted, STATUS_ATTRIBUTE, type StepWoken } from './names.ts';
import { RemoteActions } from './remoteActivities.ts';
import { Semaphore } from './semaphore.ts';
import { StatusDetails } from './statusDetails.ts';
import { WorkerCalls } from './workerCalls.ts';
import { AT_ONCE, HistoryBudget } from './workflowBudget.ts';

/** Delays the write that shows it running after an answer, lest it delay the next step (bench/README.md). */
const SHOWN_LATER_MS = 1_000;

/** The part of a ScopeRun that its host uses. */
export interface HostedScope {
  readonly iteration: string;
  readonly isAsking: boolean;
  answer(submitted: InputSubmitted): void;
  woken(nodeId: string): void;
  describe(details: StatusDetails): void;
}

/** A workflow that runs scopes of an execution: the execution's own workflow, or one for some of its iterations. */
export class Host {
  readonly ref: ExecutionRef;
  readonly plan: Plan;
  readonly actions = new RemoteActions();
  readonly budget = new HistoryBudget();
  readonly workers = new WorkerCalls(this.actions, this.budget);
  /** A loop takes one for each concurrent iteration after the first. */
  readonly lanes = new Semaphore(AT_ONCE - 1);
  readonly #scopes = new Map<string, HostedScope>();
  readonly #title: (() => string) | undefined;
  #shown: string | undefined;
  #isShownLater = false;
  #hasEnded = false;

  /** `title`: for a workflow that runs a part of an execution. */
  constructor(
    { plan, workspaceId, executionId, versionId, again }: ExecutionRef & { plan: Plan },
    title?: () => string,
  ) {
    this.#title = title;
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

  /** The scope receives signals until it leaves. */
  enter(scope: HostedScope): void {
    this.#scopes.set(scope.iteration, scope);
  }

  leave(scope: HostedScope): void {
    this.#scopes.delete(scope.iteration);
  }

  answer(submitted: InputSubmitted): void {
    this.#scopes.get(submitted.iteration ?? '')?.answer(submitted);
  }

  woken({ nodeId, iteration = '' }: StepWoken): void {
    this.#scopes.get(iteration)?.woken(nodeId);
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
    if (this.#isShownLater) return;
    this.#isShownLater = true;
    // Outside the cancelled scope, so that it always runs.
    void CancellationScope.nonCancellable(async () => {
      await sleep(SHOWN_LATER_MS, { summary: 'Shows that it runs again' });
      this.#isShownLater = false;
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
      for (const scope of this.#scopes.values()) scope.describe(details);
      return details.text;
    });
  }

  #isAsking(): boolean {
    for (const scope of this.#scopes.values()) if (scope.isAsking) return true;
    return false;
  }
}

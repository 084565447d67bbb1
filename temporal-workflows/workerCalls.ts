import { type WorkerArgument, type WorkerResult, workerCallKey } from '../domain/app/workerTask.ts';
import type { ScopeRef } from '../domain/execution/activityCalls.ts';
import type { Outcome } from '../domain/execution/outcome.ts';
import type { PlanNode } from '../domain/workflow/plan.ts';
import { local } from './localActivities.ts';
import type { RemoteActions } from './remoteActivities.ts';
import { Semaphore } from './semaphore.ts';
import { TaskBytes } from './taskBytes.ts';
import { workerAnswer } from './workerAnswer.ts';
import type { HistoryBudget } from './workflowBudget.ts';

/** Each answer may have 2 MB, the limit of the server, and a history ends at 50 MB. */
const CALLS_AT_ONCE = 20;

export type WorkerOutcome = Extract<Outcome, { status: 'WORKER' }>;

/** The calls of one workflow to customers' own workers, within what its history and messages can carry. */
export class WorkerCalls {
  readonly #actions: RemoteActions;
  readonly #budget: HistoryBudget;
  readonly #places = new Semaphore(CALLS_AT_ONCE);
  readonly #taskBytes = new TaskBytes();

  constructor(actions: RemoteActions, budget: HistoryBudget) {
    this.#actions = actions;
    this.#budget = budget;
  }

  /** Throws if the scope is cancelled. */
  async run(node: PlanNode, ref: ScopeRef, { attempt, task }: WorkerOutcome): Promise<WorkerResult> {
    await this.#places.take();
    try {
      const argument = task.argument ?? (await this.#largeArgument(node, ref, attempt, task.bytes));
      const text = attempt === 1 ? node.label : `${node.label} (attempt ${attempt})`;
      const key = workerCallKey(ref.iteration ?? '', node.id, attempt);
      const call = { text, key, parentId: ref.executionId, task, argument };
      const result = await this.#actions.inPlace(() => workerAnswer(call));
      if ('output' in result) this.#budget.spendBytes(JSON.stringify(result.output).length);
      return result;
    } finally {
      this.#places.give();
    }
  }

  async #largeArgument(node: PlanNode, ref: ScopeRef, attempt: number, bytes: number): Promise<WorkerArgument> {
    await this.#taskBytes.take(bytes);
    return local(`Reads: ${node.label}`).workerArgument({ ...ref, nodeId: node.id, attempt });
  }
}

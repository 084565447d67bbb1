import { ActivityFailure, CancellationScope, isCancellation } from '@temporalio/workflow';
import type {
  ActionResultMessage,
  EndCall,
  IterationEnd,
  RegionResult,
  RegionStart,
  ScopeRef,
} from '../domain/execution/activityCalls.ts';
import { lookaheads } from '../domain/execution/lookahead.ts';
import { type Ending, NOTHING_DONE, type Progress } from '../domain/execution/progress.ts';
import { apply, begin, ending, openNodes, ready } from '../domain/execution/reducer.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { planNode } from '../domain/workflow/planIndex.ts';
import { iterationPlan } from '../domain/workflow/scopePlan.ts';
import { Branches, type Fold } from './branches.ts';
import type { Host, HostedScope } from './host.ts';
import { local } from './localActivities.ts';
import type { RunIteration, ScopeEnd } from './loop.ts';
import type { InputSubmitted } from './names.ts';
import { OpenNodes, type OpenScope } from './openNodes.ts';
import { lostAttempt } from './remoteActivities.ts';
import type { StatusDetails } from './statusDetails.ts';

interface DueAction {
  node: PlanNode;
  attempt: number;
  reconnectUntil: number | undefined;
}

/** Runs one scope: the top of an execution, or an iteration of a loop. */
export class ScopeRun implements OpenScope, HostedScope {
  readonly host: Host;
  readonly plan: Plan;
  readonly ref: ScopeRef;
  readonly branches = new Branches();
  readonly #open: OpenNodes;
  progress: Progress;
  /** Set if the last region or action ended the execution. */
  endStatus: TerminalStatus | undefined;
  #iterationEnded: Extract<ScopeEnd, { status: IterationEnd }> | undefined;
  #hasBegun = false;
  #starts: RegionStart[] = [];
  #actions: DueAction[] = [];

  /** `iteration`: absent at the top. `again`: the scope may have steps that `progress` does not contain. */
  constructor(host: Host, iteration?: string, progress = NOTHING_DONE, again = false) {
    this.host = host;
    this.plan = iterationPlan(host.plan, iteration);
    this.ref = { ...host.ref, ...(iteration === undefined ? {} : { iteration }), ...(again ? { again } : {}) };
    this.progress = progress;
    this.#open = new OpenNodes(this);
    host.enter(this);
  }

  get iteration(): string {
    return this.ref.iteration ?? '';
  }

  get isAsking(): boolean {
    return this.#open.questions.isAsking;
  }

  answer(submitted: InputSubmitted): void {
    this.branches.post(() => this.#open.questions.answer(submitted));
  }

  woken(nodeId: string): void {
    this.branches.post(() => this.#open.woken(nodeId));
  }

  describe(details: StatusDetails): void {
    this.#open.describe(details);
  }

  /** Runs an iteration of a loop in this scope. */
  readonly runInner: RunIteration = (iteration, again) => runIteration(this.host, iteration, again);

  ending(): Ending | undefined {
    return ending(this.plan, this.progress);
  }

  /** Returns the label of the node that ended the execution, if one did. */
  endedAt(): string | undefined {
    const { ended } = this.progress;
    return ended && planNode(this.host.plan, ended.nodeId).label;
  }

  /** Runs an iteration to its end. When cancelled, stops its branches and writes nothing: its loop closes it. */
  async runIteration(): Promise<ScopeEnd> {
    try {
      for (;;) {
        if (this.endStatus !== undefined) return { endStatus: this.endStatus };
        if (this.#iterationEnded !== undefined) return this.#iterationEnded;
        const ending = this.ending();
        if (ending) return await this.#endIteration(ending);
        await this.advance();
      }
    } catch (error) {
      if (isCancellation(error)) await CancellationScope.nonCancellable(() => this.branches.stop());
      throw error;
    }
  }

  /** Begins the ready nodes, waits for results, and folds them. Throws when the scope is cancelled. */
  async advance(): Promise<void> {
    this.#beginReady();
    this.host.show();
    await this.branches.next();
  }

  /** Cancels open branches before it writes the end, so that the row never shows the end too early. */
  end(end: EndCall['end']): Promise<TerminalStatus> {
    return CancellationScope.nonCancellable(async () => {
      await this.branches.stop();
      return local(`Ends: ${end.status}`).endExecution({ ...this.ref, end });
    });
  }

  addStart(start: RegionStart): void {
    this.#starts.push(start);
  }

  attempt(node: PlanNode, attempt: number, reconnectUntil?: number): void {
    const until = reconnectUntil === undefined ? {} : { reconnectUntil };
    if (node.placement === 'inline') this.addStart({ nodeId: node.id, cause: 'run', attempt, ...until });
    else this.#actions.push({ node, attempt, reconnectUntil });
  }

  fold({ outcomes, endStatus, iterationEnded, loopTooLarge }: RegionResult): void {
    this.endStatus ??= endStatus;
    if (iterationEnded) this.#iterationEnded ??= { status: iterationEnded, ...(loopTooLarge ? { loopTooLarge } : {}) };
    for (const outcome of outcomes) {
      this.progress = apply(this.plan, this.progress, outcome);
      this.#open.follow(planNode(this.plan, outcome.nodeId), outcome);
    }
  }

  #beginReady(): void {
    const nodes = ready(this.plan, this.progress);
    if (this.#mustShow(nodes)) {
      this.#spawnRegion([], true);
      return;
    }
    this.progress = begin(
      this.progress,
      nodes.map((node) => node.id),
    );
    for (const node of nodes) this.attempt(node, 1);
    const [actions, starts] = [this.#actions, this.#starts];
    this.#actions = [];
    this.#starts = [];
    for (const action of actions) this.branches.spawn(() => this.#runAction(action));
    if (starts.length > 0) this.#spawnRegion(starts, openNodes(this.progress).length === starts.length);
  }

  /**
   * Returns whether branches begin at the trigger that no earlier write has shown as queued. A region without starts
   * shows them: the execution's status must not depend on the rows of only some branches.
   */
  #mustShow(nodes: PlanNode[]): boolean {
    if (this.#hasBegun || this.ref.iteration !== undefined) return false;
    this.#hasBegun = true;
    return nodes.length > 1 && nodes.some((node) => node.placement === 'remote');
  }

  async #runAction({ node, attempt, reconnectUntil }: DueAction): Promise<Fold> {
    const text = attempt === 1 ? node.label : `${node.label} (attempt ${attempt})`;
    this.#open.runs(node, text);
    let result: ActionResultMessage;
    try {
      result = await this.host.actions.run(text, {
        ...this.ref,
        nodeId: node.id,
        attempt,
        ...(reconnectUntil === undefined ? {} : { reconnectUntil }),
        ...lookaheads(this.plan, this.progress, node.id),
      });
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      return () => this.addStart(lostAttempt(node.id, attempt, error));
    }
    return () => this.fold({ ...result, outcomes: [result.outcome] });
  }

  /** `sole`: only the nodes of `start` are open. */
  #spawnRegion(start: RegionStart[], sole: boolean): void {
    const { progress } = this;
    const text = start.map(({ nodeId }) => planNode(this.plan, nodeId).label).join(', ') || 'Shows what begins';
    this.branches.spawn(async () => {
      const result = await local(text).runRegion({ ...this.ref, start, progress, sole });
      return () => {
        const reached = new Set(result.outcomes.map((outcome) => outcome.nodeId));
        this.fold(result);
        this.#starts.push(...start.filter(({ nodeId }) => !reached.has(nodeId)));
      };
    });
  }

  /** Ends an iteration. A stop node ends more than the iteration, so nothing is written here. */
  async #endIteration(end: Ending): Promise<ScopeEnd> {
    if ('nodeId' in end && end.stop) {
      const stop = end.status === 'COMPLETED' ? 'completed' : 'failed';
      return { stopped: { nodeId: end.nodeId, iteration: end.iteration ?? this.iteration, stop } };
    }
    return CancellationScope.nonCancellable(async () => {
      await this.branches.stop();
      const { ended, endStatus, loopTooLarge } = await local(`Ends ${this.iteration}`).endIteration({
        ...this.host.ref,
        iteration: this.iteration,
        ending: end,
      });
      if (endStatus !== undefined) return { endStatus };
      return { status: ended ?? 'FAILED', ...(loopTooLarge ? { loopTooLarge } : {}) };
    });
  }
}

/** `again`: the iteration may have steps already. */
export async function runIteration(host: Host, iteration: string, again: boolean): Promise<ScopeEnd> {
  const scope = new ScopeRun(host, iteration, NOTHING_DONE, again);
  try {
    return await scope.runIteration();
  } finally {
    host.leave(scope);
  }
}

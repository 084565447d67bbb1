import { ActivityFailure, CancellationScope, isCancellation } from '@temporalio/workflow';
import type {
  ActionResultMessage,
  EndCall,
  IterationEnd,
  RegionResult,
  RegionStart,
  ScopeRef,
} from '../domain/execution/activityCalls.ts';
import type { ChildStart } from '../domain/execution/childExecution.ts';
import { lookaheads } from '../domain/execution/lookahead.ts';
import type { LoopStart } from '../domain/execution/outcome.ts';
import { type Ending, NOTHING_DONE, type Progress } from '../domain/execution/progress.ts';
import { apply, begin, ending, openNodes, ready } from '../domain/execution/reducer.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { planNode } from '../domain/workflow/planIndex.ts';
import { iterationPlan } from '../domain/workflow/scopePlan.ts';
import { AskedTurns, type TurnOutcome } from './askedTurns.ts';
import { Branches, type Fold } from './branches.ts';
import { startChildExecution } from './childExecution.ts';
import { local } from './localActivities.ts';
import { allOf, type Loop, type LoopEnd } from './loop.ts';
import type { NextRun } from './names.ts';
import { OpenSteps } from './openSteps.ts';
import { Questions } from './questions.ts';
import { Reconnects, type WaitingAttempt } from './reconnects.ts';
import { lostAttempt } from './remoteActivities.ts';
import { runElsewhere } from './runElsewhere.ts';
import { runLoop } from './runLoop.ts';
import type { ScopeEnd, ScopeHost } from './scopeHost.ts';
import type { StatusDetails } from './statusDetails.ts';
import { REGION_COST, retryCost } from './workflowBudget.ts';

/**
 * A running scope, the top of an execution or an iteration of a loop, with its progress, its running branches and its
 * waits.
 */
export class ScopeRun {
  readonly branches = new Branches();
  readonly questions: Questions;
  readonly #reconnects: Reconnects;
  readonly #turns = new AskedTurns();
  /** The row has ended so: the last region or action has written it. */
  endStatus: TerminalStatus | undefined;
  /** The iteration's row has ended so. */
  #iterationEnded: Extract<ScopeEnd, { status: IterationEnd }> | undefined;
  #progress: Progress;
  /** The input of the next region. */
  #hasBegun = false;
  readonly #starts: RegionStart[] = [];
  readonly #open = new OpenSteps();
  /** Remote actions to begin. */
  readonly #actions: { node: PlanNode; attempt: number; reconnectUntil?: number }[] = [];
  readonly #host: ScopeHost;
  readonly #plan: Plan;
  readonly #ref: ScopeRef;

  /** `iteration`: absent at the top. `progress`: where it begins. `again`: it may have steps that its progress does not know. */
  constructor(host: ScopeHost, iteration?: string, progress = NOTHING_DONE, again = false) {
    this.#host = host;
    this.#plan = iterationPlan(host.plan, iteration);
    this.#ref = { ...host.ref, ...(iteration === undefined ? {} : { iteration }), ...(again ? { again } : {}) };
    this.#progress = progress;
    this.questions = new Questions(this.branches, {
      expired: (start) => this.#starts.push(start),
      answered: (nodeId) => this.#fold({ outcomes: [{ nodeId, status: 'COMPLETED' }] }),
    });
    this.#reconnects = new Reconnects(this.branches, (node, waiting) => this.#reconnect(node, waiting));
  }

  /** The node looks again at the thing that it waits for. */
  woken(nodeId: string): void {
    if (this.#turns.has(nodeId)) this.#turns.woken(nodeId);
    else this.#reconnects.renewed(nodeId);
  }

  /** After a wait for its connection: the same attempt. */
  #reconnect(node: PlanNode, { attempt, until }: WaitingAttempt): void {
    this.#open.hasEnded(node.id);
    if (this.#host.mayRepeat(retryCost(this.#plan, node))) this.#actions.push({ node, attempt, reconnectUntil: until });
    else this.#runElsewhere(node, { cause: 'retry', attempt, delayMs: 1, reconnectUntil: until });
  }

  get iteration(): string {
    return this.#ref.iteration ?? '';
  }

  ending(): Ending | undefined {
    return ending(this.#plan, this.#progress);
  }

  /** The label of the node that ended the execution, where one did. */
  endedAt(): string | undefined {
    const { ended } = this.#progress;
    return ended && planNode(this.#host.plan, ended.nodeId).label;
  }

  /** Adds its running and waiting steps. */
  describe(details: StatusDetails): void {
    const place = this.iteration === '' ? '' : ` in ${this.iteration}`;
    for (const nodeId of this.questions.open) {
      details.add(`Waiting for input at "${planNode(this.#plan, nodeId).label}" (${nodeId})${place}`);
    }
    this.#open.describe(details, place);
  }

  /** Runs an iteration to its end. When cancelled, stops its branches and writes nothing: its loop closes it. */
  async runIteration(): Promise<ScopeEnd> {
    try {
      for (;;) {
        if (this.endStatus !== undefined) return { endStatus: this.endStatus };
        if (this.#iterationEnded !== undefined) return this.#iterationEnded;
        const ending = this.ending();
        if (ending) return await this.#endIteration(ending);
        const alone = this.beginReady();
        this.#host.show();
        await (alone ?? this.branches.next());
      }
    } catch (error) {
      if (isCancellation(error)) await CancellationScope.nonCancellable(() => this.branches.stop());
      throw error;
    }
  }

  /**
   * Begins ready nodes: remote actions one by one, inline nodes together as one region. A branch that is the only open
   * one is awaited directly, without the inbox: no other event can arrive meanwhile, and most executions run this way.
   */
  beginReady(): Promise<void> | undefined {
    const nodes = ready(this.#plan, this.#progress);
    if (this.#mustShow(nodes)) return this.#foldAlone(() => this.#runRegion([], this.#progress, true));
    const ids = nodes.map((node) => node.id);
    this.#progress = begin(this.#progress, ids);
    for (const node of nodes) this.#run(node, 1);

    const open = openNodes(this.#progress).length;
    const work = this.#actions.splice(0).map(({ node, attempt, reconnectUntil }) => {
      return { isAlone: open === 1, run: () => this.#runAction(node, attempt, reconnectUntil) };
    });
    if (this.#starts.length > 0) {
      const start = this.#starts.splice(0);
      const isAlone = open === start.length;
      const before = this.#progress;
      work.push({ isAlone, run: () => this.#runRegion(start, before, isAlone) });
    }
    const alone = work.find(({ isAlone }) => isAlone);
    if (alone) return this.#foldAlone(alone.run);
    for (const { run } of work) this.branches.spawn(run);
    return undefined;
  }

  /** Cancels open branches, then writes the end, so that the row never shows it too early. */
  end(end: EndCall['end']): Promise<TerminalStatus> {
    return CancellationScope.nonCancellable(async () => {
      await this.branches.stop();
      return local(`Ends: ${end.status}`).endExecution({ ...this.#ref, end });
    });
  }

  /** A stop node ends more than the iteration; otherwise cancels open branches and writes the iteration's end. */
  async #endIteration(end: Ending): Promise<ScopeEnd> {
    if ('nodeId' in end && end.stop) {
      const stop = end.status === 'COMPLETED' ? 'completed' : 'failed';
      return { stopped: { nodeId: end.nodeId, iteration: end.iteration ?? this.iteration, stop } };
    }
    return CancellationScope.nonCancellable(async () => {
      await this.branches.stop();
      const { ended, endStatus, loopTooLarge } = await local(`Ends ${this.iteration}`).endIteration({
        ...this.#host.ref,
        iteration: this.iteration,
        ending: end,
      });
      if (endStatus !== undefined) return { endStatus };
      return { status: ended ?? 'FAILED', ...(loopTooLarge ? { loopTooLarge } : {}) };
    });
  }

  /**
   * Whether branches begin that no earlier write has shown as queued: those at the trigger. A region without a start
   * shows them, so that the status of the execution never follows from the rows of some of its branches alone.
   */
  #mustShow(nodes: PlanNode[]): boolean {
    if (this.#hasBegun || this.#ref.iteration !== undefined) return false;
    this.#hasBegun = true;
    return nodes.length > 1 && nodes.some((node) => node.placement === 'remote');
  }

  #run(node: PlanNode, attempt: number): void {
    if (node.placement === 'inline') this.#starts.push({ nodeId: node.id, cause: 'run', attempt });
    else this.#actions.push({ node, attempt });
  }

  async #runAction(node: PlanNode, attempt: number, reconnectUntil?: number): Promise<Fold> {
    const before = this.#progress;
    const shown = attempt === 1 ? node.label : `${node.label} (attempt ${attempt})`;
    this.#open.runs(node, shown);
    let result: ActionResultMessage;
    try {
      result = await this.#host.actions.run(shown, {
        ...this.#ref,
        nodeId: node.id,
        attempt,
        ...(reconnectUntil === undefined ? {} : { reconnectUntil }),
        ...lookaheads(this.#plan, before, node.id),
      });
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      return () => void this.#starts.push(lostAttempt(node.id, attempt, error));
    }
    return () => this.#fold({ ...result, outcomes: [result.outcome] });
  }

  async #foldAlone(work: () => Promise<Fold>): Promise<void> {
    const fold = await work();
    fold();
  }

  async #runRegion(start: RegionStart[], before: Progress, sole: boolean): Promise<Fold> {
    const text = start.map(({ nodeId }) => planNode(this.#plan, nodeId).label).join(', ') || 'Shows what begins';
    const result = await local(text).runRegion({ ...this.#ref, start, progress: before, sole });
    return () => {
      const reached = new Set(result.outcomes.map((outcome) => outcome.nodeId));
      this.#fold(result);
      this.#starts.push(...start.filter(({ nodeId }) => !reached.has(nodeId)));
    };
  }

  #fold({ outcomes, endStatus, iterationEnded, loopTooLarge }: RegionResult): void {
    this.endStatus ??= endStatus;
    if (iterationEnded) this.#iterationEnded ??= { status: iterationEnded, ...(loopTooLarge ? { loopTooLarge } : {}) };
    for (const outcome of outcomes) {
      this.#open.hasEnded(outcome.nodeId);
      this.#progress = apply(this.#plan, this.#progress, outcome);
      const node = planNode(this.#plan, outcome.nodeId);
      if (outcome.status !== 'TURN') this.#turns.forget(outcome.nodeId);
      if (outcome.status === 'RETRYING') this.#retry(node, outcome.attempt + 1, outcome.delayMs);
      else if (outcome.status === 'NEEDS_INPUT') this.questions.ask(node, outcome.expiresAt);
      else if (outcome.status === 'WAITING') this.#wait(node, outcome.delayMs);
      else if (outcome.status === 'RECONNECT') this.#awaitConnection(node, outcome);
      else if (outcome.status === 'CHILD') this.#child(outcome.nodeId, outcome.start, outcome.wait);
      else if (outcome.status === 'TURN') this.#turn(node, outcome);
      else if (outcome.status === 'LOOPING') this.#loop(node, outcome.loop);
    }
  }

  #wait(node: PlanNode, delayMs: number): void {
    this.#open.waits(node, delayMs);
    this.branches.timer(Math.max(delayMs, 1), `Delay: ${node.label}`, () => {
      this.#starts.push({ nodeId: node.id, cause: 'woken' });
    });
  }

  #awaitConnection(node: PlanNode, waiting: WaitingAttempt): void {
    this.#open.reconnects(node, waiting.until);
    this.#reconnects.wait(node, waiting);
  }

  #child(nodeId: string, start: ChildStart, wait: boolean): void {
    this.#open.startsWorkflow(planNode(this.#plan, nodeId), start.name, wait);
    this.branches.spawn(async () => {
      const child = await startChildExecution(start, wait ? 'cancel' : 'abandon');
      const ended = wait ? { status: await child.ended() } : {};
      return () => this.#starts.push({ nodeId, cause: 'child', executionId: start.executionId, ...ended });
    });
  }

  #turn(node: PlanNode, outcome: TurnOutcome): void {
    this.#open.asksAgent(node, outcome.again === 'asks');
    this.#turns.add(node, outcome);
    this.branches.spawn(async () => {
      const start = await this.#turns.untilNews(node, outcome);
      return () => this.#starts.push(start);
    });
  }

  #loop(node: PlanNode, loop: LoopStart | undefined): void {
    if (!loop) {
      this.#open.loops(node);
      this.#goOn(node);
      return;
    }
    const all: Loop = { host: this.#host, node, parent: this.iteration, loop, ended: 0 };
    this.#open.loops(node, all);
    this.branches.spawn(async () => {
      const end = await runLoop(all);
      return () => this.#loopEnded(node, loop, end);
    });
  }

  /** With a loop whose iterations regions run. */
  #goOn(node: PlanNode): void {
    const start = () => void this.#starts.push({ nodeId: node.id, cause: 'iterate' });
    // A timer ends the workflow task: signals and cancellations are heard between two regions.
    if (this.#host.mayRepeat(REGION_COST)) this.branches.timer(1, `Goes on: ${node.label}`, start);
    else this.#runElsewhere(node, { cause: 'iterate', delayMs: 1 });
  }

  #loopEnded(node: PlanNode, loop: LoopStart, end: LoopEnd): void {
    const nodeId = node.id;
    if ('endStatus' in end) this.endStatus ??= end.endStatus;
    else if ('stopped' in end) this.#fold({ outcomes: [{ nodeId, status: 'STOPPED', at: end.stopped }] });
    else {
      const { done: _, ...how } = { done: undefined, ...end };
      this.#starts.push({ nodeId, cause: 'looped', limit: allOf({ node, loop }), ...how });
    }
  }

  #retry(node: PlanNode, attempt: number, delayMs: number): void {
    const text = `Retry ${attempt} of ${node.retry?.maximumAttempts ?? attempt}: ${node.label}`;
    this.#open.retries(node, text, delayMs);
    if (this.#host.mayRepeat(retryCost(this.#plan, node)))
      this.branches.timer(delayMs, text, () => this.#run(node, attempt));
    else this.#runElsewhere(node, { cause: 'retry', attempt, delayMs });
  }

  #runElsewhere(node: PlanNode, next: NextRun): void {
    const scope = { ref: this.#ref, plan: this.#plan, progress: this.#progress };
    this.branches.spawn(async () => {
      const result = await runElsewhere(scope, node, next);
      return () => this.#fold(result);
    });
  }
}

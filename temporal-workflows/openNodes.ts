import type { RegionResult, RegionStart, ScopeRef } from '../domain/execution/activityCalls.ts';
import type { LoopStart, Outcome } from '../domain/execution/outcome.ts';
import type { Progress } from '../domain/execution/progress.ts';
import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { planNode } from '../domain/workflow/planIndex.ts';
import type { Branches } from './branches.ts';
import { startChildExecution } from './childExecution.ts';
import { ConnectionWaits, type WaitingAttempt } from './connectionWaits.ts';
import { attemptCost, REGION_COST } from './historyCost.ts';
import type { Host } from './host.ts';
import { type Loop, type LoopEnd, type RunIteration, totalOf } from './loop.ts';
import type { NextRun } from './names.ts';
import { repeatElsewhere } from './nodePart.ts';
import { Questions } from './questions.ts';
import { runLoop } from './runLoop.ts';
import type { StatusDetails } from './statusDetails.ts';
import { StepDetails } from './stepDetails.ts';
import { TurnWaits } from './turnWaits.ts';

export interface OpenScope {
  readonly host: Host;
  readonly plan: Plan;
  readonly ref: ScopeRef;
  readonly progress: Progress;
  readonly branches: Branches;
  /** The start belongs to the next region. */
  addStart(start: RegionStart): void;
  attempt(node: PlanNode, attempt: number, reconnectUntil?: number): void;
  fold(result: RegionResult): void;
  readonly runInner: RunIteration;
}

type OutcomeOf<Status extends Outcome['status']> = Extract<Outcome, { status: Status }>;
/** Outcomes that end a node; the reducer decides what follows. */
type Final = 'COMPLETED' | 'FAILED' | 'STOPPED';
type Handlers = {
  [Status in Exclude<Outcome['status'], Final>]: (node: PlanNode, outcome: OutcomeOf<Status>) => void;
};

/** The open nodes of a scope. Each outcome that leaves a node open makes the workflow wait for an event. */
export class OpenNodes {
  readonly questions: Questions;
  readonly #scope: OpenScope;
  readonly #connections: ConnectionWaits;
  readonly #turns = new TurnWaits();
  readonly #steps = new StepDetails();
  readonly #handlers: Handlers;

  constructor(scope: OpenScope) {
    this.#scope = scope;
    this.questions = new Questions(scope.branches, {
      expired: (start) => scope.addStart(start),
      answered: (nodeId) => scope.fold({ outcomes: [{ nodeId, status: 'COMPLETED' }] }),
    });
    this.#connections = new ConnectionWaits(scope.branches, (node, waiting) => this.#reconnect(node, waiting));
    this.#handlers = {
      RETRYING: (node, { attempt, delayMs }) => this.#retry(node, attempt + 1, delayMs),
      NEEDS_INPUT: (node, { expiresAt }) => this.questions.ask(node, expiresAt),
      WAITING: (node, { delayMs }) => this.#wait(node, delayMs),
      RECONNECT: (node, waiting) => this.#awaitConnection(node, waiting),
      CHILD: (node, outcome) => this.#child(node, outcome),
      TURN: (node, outcome) => this.#turn(node, outcome),
      WORKER: (node, outcome) => this.#worker(node, outcome),
      LOOPING: (node, { loop }) => (loop ? this.#loop(node, loop) : this.#nextRegion(node)),
    };
  }

  runs(node: PlanNode, text: string): void {
    this.#steps.runs(node, text);
  }

  /** Call it once the progress contains the outcome. */
  follow(node: PlanNode, outcome: Outcome): void {
    this.#steps.hasEnded(node.id);
    if (outcome.status !== 'TURN') this.#turns.forget(node.id);
    if (!(outcome.status in this.#handlers)) return;
    const handle = this.#handlers[outcome.status as keyof Handlers] as (node: PlanNode, outcome: Outcome) => void;
    handle(node, outcome);
  }

  woken(nodeId: string): void {
    if (this.#turns.has(nodeId)) this.#turns.woken(nodeId);
    else this.#connections.authorized(nodeId);
  }

  describe(details: StatusDetails): void {
    const { plan, ref } = this.#scope;
    const place = ref.iteration === undefined ? '' : ` in ${ref.iteration}`;
    for (const nodeId of this.questions.open) {
      details.add(`Waiting for input at "${planNode(plan, nodeId).label}" (${nodeId})${place}`);
    }
    this.#steps.describe(details, place);
  }

  #retry(node: PlanNode, attempt: number, delayMs: number): void {
    const text = `Retry ${attempt} of ${node.retry?.maximumAttempts ?? attempt}: ${node.label}`;
    this.#steps.retries(node, text, delayMs);
    const { host, plan, branches } = this.#scope;
    if (host.budget.mayRepeat(attemptCost(plan, node)))
      branches.timer(delayMs, text, () => this.#scope.attempt(node, attempt));
    else this.#elsewhere(node, { cause: 'retry', attempt, delayMs });
  }

  #wait(node: PlanNode, delayMs: number): void {
    this.#steps.waits(node, delayMs);
    this.#scope.branches.timer(Math.max(delayMs, 1), `Delay: ${node.label}`, () => {
      this.#scope.addStart({ nodeId: node.id, cause: 'woken' });
    });
  }

  #awaitConnection(node: PlanNode, waiting: WaitingAttempt): void {
    this.#steps.awaitsConnection(node, waiting.until);
    this.#connections.wait(node, waiting);
  }

  #reconnect(node: PlanNode, { attempt, until }: WaitingAttempt): void {
    this.#steps.hasEnded(node.id);
    const { host, plan } = this.#scope;
    if (host.budget.mayRepeat(attemptCost(plan, node))) this.#scope.attempt(node, attempt, until);
    else this.#elsewhere(node, { cause: 'retry', attempt, delayMs: 1, reconnectUntil: until });
  }

  #child(node: PlanNode, { start, wait }: OutcomeOf<'CHILD'>): void {
    this.#steps.startsWorkflow(node, start.name, wait);
    this.#scope.branches.spawn(async () => {
      const child = await startChildExecution(start, wait ? 'cancel' : 'abandon');
      const ended = wait ? { status: await child.ended() } : {};
      return () => this.#scope.addStart({ nodeId: node.id, cause: 'child', executionId: start.executionId, ...ended });
    });
  }

  #turn(node: PlanNode, outcome: OutcomeOf<'TURN'>): void {
    this.#steps.asksAgent(node, outcome.again === 'asks');
    this.#turns.add(node, outcome);
    this.#scope.branches.spawn(async () => {
      const start = await this.#turns.untilEvent(node, outcome);
      return () => this.#scope.addStart(start);
    });
  }

  #worker(node: PlanNode, outcome: OutcomeOf<'WORKER'>): void {
    const { host, ref, branches } = this.#scope;
    const { attempt, task } = outcome;
    if (!host.budget.mayCall(task.bytes)) {
      this.#elsewhere(node, { cause: 'retry', attempt, delayMs: 1 });
      return;
    }
    this.#steps.callsWorker(node, task.taskQueue);
    branches.spawn(async () => {
      const result = await host.workers.run(node, ref, outcome);
      return () => this.#scope.addStart({ nodeId: node.id, cause: 'worked', attempt, result });
    });
  }

  #nextRegion(node: PlanNode): void {
    this.#steps.loops(node);
    const { host, branches } = this.#scope;
    const start = () => this.#scope.addStart({ nodeId: node.id, cause: 'iterate' });
    // A timer ends the workflow task, so that signals and cancellations arrive between two regions.
    if (host.budget.mayRepeat(REGION_COST)) branches.timer(1, `Continues: ${node.label}`, start);
    else this.#elsewhere(node, { cause: 'iterate', delayMs: 1 });
  }

  #loop(node: PlanNode, loop: LoopStart): void {
    const { host, ref, branches, runInner } = this.#scope;
    const all: Loop = { host, node, parent: ref.iteration ?? '', loop, ended: 0, runIteration: runInner };
    this.#steps.loops(node, all);
    branches.spawn(async () => {
      const end = await runLoop(all);
      return () => this.#loopEnded(node, loop, end);
    });
  }

  #loopEnded(node: PlanNode, loop: LoopStart, end: LoopEnd): void {
    const nodeId = node.id;
    const looped = { nodeId, cause: 'looped', limit: totalOf({ node, loop }) } as const;
    if (typeof end === 'string') this.#scope.addStart(looped);
    else if ('endStatus' in end) this.#scope.fold({ outcomes: [], endStatus: end.endStatus });
    else if ('stopped' in end) this.#scope.fold({ outcomes: [{ nodeId, status: 'STOPPED', at: end.stopped }] });
    else this.#scope.addStart({ ...looped, ...end });
  }

  #elsewhere(node: PlanNode, next: NextRun): void {
    const { ref, plan, progress, branches } = this.#scope;
    branches.spawn(async () => {
      const result = await repeatElsewhere({ ref, plan, progress }, node, next);
      return () => this.#scope.fold(result);
    });
  }
}

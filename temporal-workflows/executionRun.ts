import {
  ActivityCancellationType,
  ActivityFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type {
  ActionResultMessage,
  EndCall,
  ExecutionActivities,
  ExecutionRef,
  RegionResult,
  RegionStart,
} from '../domain/execution/activityCalls.ts';
import { lookahead } from '../domain/execution/lookahead.ts';
import {
  apply,
  begin,
  type Ending,
  ending,
  NOTHING_DONE,
  openNodes,
  type Progress,
  planNode,
  ready,
} from '../domain/execution/progress.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { Branches, type Fold } from './branches.ts';
import { type RunExecutionArguments, STATUS_ATTRIBUTE } from './names.ts';
import { Questions } from './questions.ts';
import { statusDetails } from './statusDetails.ts';

/** How long a worker may be silent before its action is given to another. */
const HEARTBEAT_TIMEOUT_MS = 10_000;
/** The activity keeps its own time; Temporal's is the net below. */
const TIMEOUT_MARGIN_MS = 30_000;
/** An action that takes its worker down with it is not tried for ever. */
const LOST_WORKER_ATTEMPTS = 10;

const local = proxyLocalActivities<ExecutionActivities>({
  startToCloseTimeout: '1 minute',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds' },
});

/** One execution on its way: what is done, what runs, what waits. */
export class ExecutionRun {
  readonly branches = new Branches();
  readonly questions = new Questions(this.branches, (start) => this.#starts.push(start));
  /** The row has ended so: the last region or action has written it. */
  closed: TerminalStatus | undefined;
  #progress: Progress;
  /** Of the row, as far as results have told. */
  #revision = 0;
  /** What the next region begins with. */
  #hasBegun = false;
  readonly #starts: RegionStart[] = [];
  /** Remote actions to begin. */
  readonly #actions: { node: PlanNode; attempt: number }[] = [];
  #shown: string | undefined;
  readonly #plan: Plan;
  readonly #ref: ExecutionRef;
  readonly #actionTimeoutMs: number;

  constructor({ plan, actionTimeoutMs, progress = NOTHING_DONE, ...ref }: RunExecutionArguments) {
    this.#plan = plan;
    this.#progress = progress;
    this.#ref = ref;
    this.#actionTimeoutMs = actionTimeoutMs;
  }

  ending(): Ending | undefined {
    return ending(this.#plan, this.#progress);
  }

  /** The label of the node that ended the execution, where one did. */
  endedAt(): string | undefined {
    const { ended } = this.#progress;
    return ended && planNode(this.#plan, ended.nodeId).label;
  }

  /**
   * Begins what is ready: remote actions one by one, inline nodes together as one region. What is all that is open is
   * awaited at once, without the inbox: nothing else can happen meanwhile, and it is the way of most executions.
   */
  beginReady(): Promise<void> | undefined {
    const nodes = ready(this.#plan, this.#progress);
    if (this.#mustShow(nodes)) return this.#foldAlone(() => this.#runRegion([], this.#progress, true));
    const ids = nodes.map((node) => node.id);
    this.#progress = begin(this.#progress, ids);
    for (const node of nodes) this.#run(node, 1);

    const open = openNodes(this.#progress).length;
    const work = this.#actions.splice(0).map(({ node, attempt }) => {
      return { isAlone: open === 1, run: () => this.#runAction(node, attempt) };
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

  /** Cancels what is open, then writes the end: the row never says it before it is so. */
  end(end: EndCall['end']): Promise<TerminalStatus> {
    return CancellationScope.nonCancellable(async () => {
      await this.branches.stop();
      return local.endExecution({ ...this.#ref, end });
    });
  }

  /** For people at the Temporal UI: details, and an attribute for what Temporal does not know, who waits for input. */
  show(status?: TerminalStatus): void {
    const { open } = this.questions;
    if (status) setCurrentDetails(status);
    else if (open.length > 0) setCurrentDetails(statusDetails(this.#plan, open, this.branches.running));
    const shown = status ?? (open.length > 0 ? 'NEEDS_INPUT' : 'RUNNING');
    if (shown === this.#shown || (this.#shown === undefined && shown !== 'NEEDS_INPUT')) return;
    this.#shown = shown;
    upsertSearchAttributes([{ key: STATUS_ATTRIBUTE, value: shown }]);
  }

  /**
   * Whether branches begin that no earlier write has shown as queued: those at the trigger. A region without a start
   * shows them, so that the status of the execution never follows from the rows of some of its branches alone.
   */
  #mustShow(nodes: PlanNode[]): boolean {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    return isFirst && nodes.length > 1 && nodes.some((node) => node.placement === 'remote');
  }

  #run(node: PlanNode, attempt: number): void {
    if (node.placement === 'inline') this.#starts.push({ nodeId: node.id, cause: 'run', attempt });
    else this.#actions.push({ node, attempt });
  }

  async #runAction(node: PlanNode, attempt: number): Promise<Fold> {
    const sole = openNodes(this.#progress).length === 1;
    const revision = this.#revision;
    const completed = lookahead(this.#plan, this.#progress, { nodeId: node.id, status: 'COMPLETED' });
    const failed = lookahead(this.#plan, this.#progress, { nodeId: node.id, status: 'FAILED', code: '' });
    const { runAction } = proxyActivities<ExecutionActivities>({
      summary: attempt === 1 ? node.label : `${node.label} (attempt ${attempt})`,
      startToCloseTimeout: (node.timeoutMs ?? this.#actionTimeoutMs) + TIMEOUT_MARGIN_MS,
      heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
      cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
      retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: LOST_WORKER_ATTEMPTS },
    });
    let result: ActionResultMessage;
    try {
      result = await runAction({
        ...this.#ref,
        nodeId: node.id,
        attempt,
        ...(sole ? { revision } : {}),
        completed,
        failed,
      });
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      return () => void this.#starts.push({ nodeId: node.id, cause: 'lost', attempt });
    }
    return () => this.#fold({ ...result, outcomes: [result.outcome] });
  }

  async #foldAlone(work: () => Promise<Fold>): Promise<void> {
    const fold = await work();
    fold();
  }

  async #runRegion(start: RegionStart[], before: Progress, sole: boolean): Promise<Fold> {
    const revision = this.#revision;
    const result = await local.runRegion({ ...this.#ref, start, progress: before, sole, revision });
    return () => {
      const reached = new Set(result.outcomes.map((outcome) => outcome.nodeId));
      this.#fold(result);
      this.#starts.push(...start.filter(({ nodeId }) => !reached.has(nodeId)));
    };
  }

  #fold({ outcomes, closed, revision = 0 }: RegionResult): void {
    this.closed ??= closed;
    this.#revision = Math.max(this.#revision, revision);
    for (const outcome of outcomes) {
      this.#progress = apply(this.#plan, this.#progress, outcome);
      const node = planNode(this.#plan, outcome.nodeId);
      if (outcome.status === 'RETRYING') this.#retry(node, outcome.attempt + 1, outcome.delayMs);
      else if (outcome.status === 'NEEDS_INPUT') this.questions.ask(node, outcome.expiresAt);
    }
  }

  #retry(node: PlanNode, attempt: number, delayMs: number): void {
    const summary = `Retry ${attempt} of ${node.retry?.maximumAttempts ?? attempt}: ${node.label}`;
    this.branches.timer(delayMs, summary, () => this.#run(node, attempt));
  }
}

import { ApplicationFailure } from '@temporalio/common';
import type { LocalHint, RegionCall, RegionStart } from '../../domain/execution/activityCalls.ts';
import { lookaheadOf } from '../../domain/execution/lookahead.ts';
import type { Outcome } from '../../domain/execution/outcome.ts';
import { ready } from '../../domain/execution/reducer.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { Plan } from '../../domain/workflow/plan.ts';
import { planNode } from '../../domain/workflow/planIndex.ts';
import { ExecutionGone } from '../../engine/executions/executionGone.ts';
import { expressionScope } from '../../engine/executions/expressionScope.ts';
import { queuedRecords } from '../../engine/executions/stepRecords.ts';
import type { Answered } from '../../prisma/store/execution/pendingInput.ts';
import type { ProgressWrite } from '../../prisma/store/execution/progressWrite.ts';
import type { RecordedStep, RunContext } from '../../prisma/store/execution/runContext.ts';
import { revealedFacts } from '../../prisma/store/execution/workerSteps.ts';
import { isLastTry } from '../guardedActivity.ts';
import type { ActivityServices } from '../services.ts';
import { settleTurn } from './agentRunNode.ts';
import { endDelay } from './delayNode.ts';
import { runInlineNode } from './inlineNode.ts';
import type { InlineRun, InlineSettlement } from './inlineRun.ts';
import { settleInput } from './inputNode.ts';
import { resumeLoop } from './loopNode.ts';
import type { LostTries } from './lostTries.ts';
import { MemoryScope } from './memoryScope.ts';
import { RegionBudget } from './regionBudget.ts';
import { runLoopInRegion } from './regionLoop.ts';
import { settleChild } from './runWorkflowNode.ts';
import { settleLooped, settleLost } from './settleLooped.ts';
import { settleWorker } from './workerNode.ts';

export interface RegionParts {
  services: ActivityServices;
  call: RegionCall;
  definition: CompiledDefinition;
  plan: Plan;
  context: RunContext;
  answers: Map<string, Answered>;
  /** The Temporal workflow that runs it, unless it is the execution's own. */
  host: string | undefined;
  hint: LocalHint;
  /** Set if a worker was lost with this region. */
  lostTries: LostTries | undefined;
}

export class RegionRun {
  readonly outcomes: Outcome[] = [];
  readonly memory: MemoryScope;
  readonly #services: ActivityServices;
  readonly #call: RegionCall;
  readonly #definition: CompiledDefinition;
  readonly #plan: Plan;
  readonly #hint: LocalHint;
  readonly #lostTries: LostTries | undefined;
  readonly #budget: RegionBudget;
  readonly #answers: Map<string, Answered>;
  readonly #applied: string[] = [];

  constructor({ services, call, definition, plan, context, answers, host, hint, lostTries }: RegionParts) {
    this.#services = services;
    this.#call = call;
    this.#definition = definition;
    this.#plan = plan;
    this.#hint = hint;
    this.#lostTries = lostTries;
    this.#budget = new RegionBudget(services.config.REGION_BUDGET_MS);
    this.#answers = answers;
    const { workspaceId, executionId, iteration = '', progress } = call;
    const { lineageId, steps } = context;
    const workerFacts = revealedFacts(services.database, context.workerFacts);
    const at = {
      ...{ workspaceId, executionId, iteration, lineageId },
      ...(host === undefined ? {} : { host }),
      ...(workerFacts ? { workerFacts } : {}),
    };
    const scope = expressionScope(services, definition, call, context);
    this.memory = new MemoryScope({ services, definition, plan, at, scope, progress, steps, budget: this.#budget });
  }

  /** Settles the start nodes and the inline nodes that become ready, as far as the budget allows. */
  async run(): Promise<void> {
    const due: RegionStart[] = [...this.#call.start];
    const taken = new Set(due.map(({ nodeId }) => nodeId));
    for (let next = due.shift(); next && !this.memory.progress.ended; next = due.shift()) {
      // Settle at least one node, otherwise the next call would make no progress either.
      if (this.outcomes.length > 0 && (this.#budget.isSpent || this.#lostTries)) return;
      const start = next;
      this.outcomes.push(await this.memory.settle(start, (run, step) => this.#runOrGiveUp(run, start, step)));
      this.#budget.spendNode();
      if (this.#call.only) continue;
      for (const node of ready(this.#plan, this.memory.progress)) {
        if (node.placement !== 'inline' || taken.has(node.id)) continue;
        taken.add(node.id);
        due.push({ nodeId: node.id, cause: 'run', attempt: 1 });
      }
    }
  }

  toWrite(): ProgressWrite {
    const { settled, response } = this.memory;
    const { iteration = '' } = this.#call;
    const iterations = settled.flatMap((each) => each.iterations ?? []);
    const cancelled = settled.flatMap((each) => each.cancelled ?? []);
    return {
      steps: [
        ...settled.flatMap((each) => [...(each.isWritten ? [] : [each.record]), ...(each.inner ?? [])]),
        ...queuedRecords(this.#definition, this.#queued(), iteration),
      ],
      iteration,
      ...(iterations.length > 0 ? { iterations } : {}),
      ...(cancelled.length > 0 ? { cancelled } : {}),
      inputRequests: settled.flatMap((each) => (each.inputRequest ? [each.inputRequest] : [])),
      inputsApplied: this.#applied,
      ...(response ? { response } : {}),
    };
  }

  #queued(): string[] {
    const { only } = this.#call;
    if (only) return this.outcomes.flatMap(({ status }) => lookaheadOf(only, status)?.queue ?? []);
    return ready(this.#plan, this.memory.progress).flatMap(({ id, placement }) => (placement === 'remote' ? [id] : []));
  }

  /** Fails a node with its last try if each try loses its worker or fails in our own code. */
  async #runOrGiveUp(run: InlineRun, start: RegionStart, step: RecordedStep | undefined): Promise<InlineSettlement> {
    const { nodeId } = start;
    const lost = { nodeId, cause: 'lost', attempt: run.attempt } as const;
    if (await this.#lostTries?.isLost(`node ${nodeId}`)) return settleLost(run, lost);
    try {
      return await this.#runStart(run, start, step);
    } catch (error) {
      const { config, log } = this.#services;
      const isGone = error instanceof ExecutionGone || error instanceof ApplicationFailure;
      if (isGone || !isLastTry(error, this.#hint, config.INTERNAL_FAILURE_TRIES)) throw error;
      log.error(
        { err: error, executionId: run.executionId, nodeId },
        'a node is given up: Perdure itself failed with it',
      );
      return settleLost(run, { ...lost, code: 'INTERNAL' });
    }
  }

  #runStart(
    run: InlineRun,
    start: RegionStart,
    step: RecordedStep | undefined,
  ): InlineSettlement | Promise<InlineSettlement> {
    const { nodeId, cause } = start;
    switch (cause) {
      case 'run':
      case 'iterate': {
        if (planNode(this.#plan, nodeId).iterate !== 'inRegion') {
          const kept = step?.kept ?? undefined;
          if (kept === undefined) return runInlineNode(run, this.#services);
          return resumeLoop(this.#services, run, { kept, bytes: step?.bytes });
        }
        return runLoopInRegion(this.#services, this.#definition, run, step, this.#budget);
      }
      case 'looped':
        return settleLooped(this.#services, this.#call, this.#definition, run, start, step);
      case 'child':
        return settleChild(this.#services, run, start);
      case 'turn':
        return settleTurn(this.#services, run, start);
      case 'worked':
        return settleWorker(this.#services, run, start.result);
      case 'woken':
        return endDelay(run, step?.wakeAt ?? 0);
      case 'lost':
        return settleLost(run, start);
      case 'expired': {
        const answered = this.#answers.get(nodeId);
        if (!answered) throw new Error(`The question of ${nodeId} has no row`);
        this.#applied.push(nodeId);
        return settleInput(run, this.#plan, answered);
      }
    }
  }
}

import { ApplicationFailure } from '@temporalio/common';
import type { LocalHint, RegionCall, RegionStart } from '../../domain/execution/activityCalls.ts';
import { lookaheadOf } from '../../domain/execution/lookahead.ts';
import type { Outcome } from '../../domain/execution/outcome.ts';
import type { Progress } from '../../domain/execution/progress.ts';
import { apply, ready } from '../../domain/execution/reducer.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { ownMember, setKey } from '../../domain/ownMember.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { Plan } from '../../domain/workflow/plan.ts';
import { planNode } from '../../domain/workflow/planIndex.ts';
import { ExecutionGone } from '../../engine/executions/executionGone.ts';
import { expressionScope, stepScope } from '../../engine/executions/expressionScope.ts';
import { queuedRecords } from '../../engine/executions/stepRecords.ts';
import type { Answered } from '../../prisma/store/execution/pendingInput.ts';
import type { ProgressWrite } from '../../prisma/store/execution/progressWrite.ts';
import type { RecordedStep, RunContext } from '../../prisma/store/execution/runContext.ts';
import { isLastTry } from '../guardedActivity.ts';
import type { ActivityServices } from '../services.ts';
import { settleTurn } from './agentRunNode.ts';
import { atBegin } from './atBegin.ts';
import { endDelay } from './delayNode.ts';
import { runInlineNode } from './inlineNode.ts';
import type { InlineRun, InlineSettlement } from './inlineRun.ts';
import { settleInput } from './inputNode.ts';
import { resumeLoop } from './loopNode.ts';
import type { LostTries } from './lostTries.ts';
import { recordedOutcome } from './recordedOutcome.ts';
import { RegionBudget } from './regionBudget.ts';
import { runLoopInRegion } from './regionLoop.ts';
import { settleChild } from './runWorkflowNode.ts';
import { settleLooped, settleLost } from './settleLooped.ts';

export interface RegionParts {
  services: ActivityServices;
  call: RegionCall;
  definition: CompiledDefinition;
  /** The plan of the scope. */
  plan: Plan;
  context: RunContext;
  answers: Map<string, Answered>;
  /** The Temporal workflow that runs it, where it is not the execution's own. */
  host: string | undefined;
  hint: LocalHint;
  /** Where a worker was lost with this region. */
  lostTries: LostTries | undefined;
}

/** The loop of one region: settles node after node and collects the writes. */
export class RegionRun {
  readonly outcomes: Outcome[] = [];
  /** A repeated region that found settled steps: there may be open rows that its progress does not contain. */
  isAgain = false;
  readonly scope: Scope;
  progress: Progress;
  readonly #services: ActivityServices;
  readonly #call: RegionCall;
  readonly #definition: CompiledDefinition;
  /** The plan of the scope. */
  readonly #plan: Plan;
  readonly #iteration: string;
  readonly #host: string | undefined;
  readonly #hint: LocalHint;
  readonly #lostTries: LostTries | undefined;
  readonly #budget: RegionBudget;
  readonly #context: RunContext;
  readonly #answers: Map<string, Answered>;
  readonly #settled: InlineSettlement[] = [];
  readonly #applied: string[] = [];

  constructor({ services, call, definition, plan, context, answers, host, hint, lostTries }: RegionParts) {
    this.#services = services;
    this.#call = call;
    this.#definition = definition;
    this.#plan = plan;
    this.#iteration = call.iteration ?? '';
    this.#host = host;
    this.#hint = hint;
    this.#lostTries = lostTries;
    this.#budget = new RegionBudget(services.config.REGION_BUDGET_MS);
    this.#context = context;
    this.#answers = answers;
    this.progress = call.progress;
    this.scope = expressionScope(services, definition, call, context);
  }

  async goOn(): Promise<void> {
    const due: RegionStart[] = [...this.#call.start];
    const taken = new Set(due.map(({ nodeId }) => nodeId));
    for (let next = due.shift(); next && !this.progress.ended; next = due.shift()) {
      // One at least: a call without progress would be followed by its like.
      if (this.outcomes.length > 0 && (this.#budget.isSpent || this.#lostTries)) return;
      if (this.#budget.eventLoop.isDue) await this.#budget.eventLoop.take();
      const outcome = await this.#settle(next);
      this.#budget.spendNode();
      this.outcomes.push(outcome);
      this.progress = apply(this.#plan, this.progress, outcome);
      if (this.#call.only) continue;
      for (const node of ready(this.#plan, this.progress)) {
        if (node.placement !== 'inline' || taken.has(node.id)) continue;
        taken.add(node.id);
        due.push({ nodeId: node.id, cause: 'run', attempt: 1 });
      }
    }
  }

  /** Steps of the region, and the next remote ones as QUEUED. */
  toWrite(): ProgressWrite {
    const response = this.#settled.find((each) => each.response)?.response;
    const iterations = this.#settled.flatMap((each) => each.iterations ?? []);
    const cancelled = this.#settled.flatMap((each) => each.cancelled ?? []);
    return {
      steps: [
        ...this.#settled.flatMap((each) => [...(each.isWritten ? [] : [each.record]), ...(each.inner ?? [])]),
        ...queuedRecords(this.#definition, this.#queued(), this.#iteration),
      ],
      iteration: this.#iteration,
      ...(iterations.length > 0 ? { iterations } : {}),
      ...(cancelled.length > 0 ? { cancelled } : {}),
      inputRequests: this.#settled.flatMap((each) => (each.inputRequest ? [each.inputRequest] : [])),
      inputsApplied: this.#applied,
      ...(response ? { response } : {}),
    };
  }

  /** Remote nodes that become ready. */
  #queued(): string[] {
    const { only } = this.#call;
    if (only) return this.outcomes.flatMap(({ status }) => lookaheadOf(only, status)?.queue ?? []);
    return ready(this.#plan, this.progress).flatMap(({ id, placement }) => (placement === 'remote' ? [id] : []));
  }

  async #settle(start: RegionStart): Promise<Outcome> {
    const { nodeId, cause } = start;
    const compiled = this.#definition.nodes.get(nodeId);
    if (!compiled) throw new Error(`The definition has no node ${nodeId}`);
    const step = ownMember(this.#context.steps, nodeId);
    const attempt = 'attempt' in start ? start.attempt : (step?.attempt ?? 1);
    const recorded = recordedOutcome(nodeId, attempt, step, compiled.node.type, Date.now());
    const isOpen = recorded?.status === 'NEEDS_INPUT' || recorded?.status === 'WAITING';
    if (recorded && (cause === 'run' || !isOpen)) {
      this.isAgain = true;
      return recorded;
    }

    const { lineageId } = this.#context;
    const { workspaceId, executionId } = this.#call;
    const at = { workspaceId, executionId, iteration: this.#iteration, lineageId };
    const startedAt = new Date();
    let { scope } = this;
    if (compiled.now) {
      scope = await atBegin(this.#services, compiled, at, scope, { begun: step?.startedAt, startedAt });
    }
    const run: InlineRun = {
      ...at,
      ...(this.#host === undefined ? {} : { host: this.#host }),
      compiled,
      label: planNode(this.#definition.plan, nodeId).label,
      attempt,
      startedAt,
      scope,
      ...(step ? { stepId: step.id } : {}),
    };
    const settlement = await this.#runOrGiveUp(run, start, step);
    this.#settled.push(settlement);
    this.#budget.spendBytes(settlement.bytes ?? 0);
    const { record, outcome } = settlement;
    if (record.status === 'COMPLETED' || record.status === 'FAILED') {
      const before = ownMember(this.scope.steps, nodeId);
      setKey(this.scope.steps, nodeId, { ...before, ...stepScope(record.output ?? null, record.error) });
    }
    return outcome;
  }

  /** A node with which workers are lost, or our own code fails, again and again fails with the last try. */
  async #runOrGiveUp(run: InlineRun, start: RegionStart, step: RecordedStep | undefined): Promise<InlineSettlement> {
    const { nodeId } = start;
    const lost = { nodeId, cause: 'lost', attempt: run.attempt } as const;
    if (await this.#lostTries?.isLost(`node ${nodeId}`)) return settleLost(run, lost);
    try {
      return await this.#run(run, start, step);
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

  #run(
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

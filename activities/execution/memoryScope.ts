import type { RegionStart } from '../../domain/execution/activityCalls.ts';
import type { Outcome } from '../../domain/execution/outcome.ts';
import type { Progress } from '../../domain/execution/progress.ts';
import { apply } from '../../domain/execution/reducer.ts';
import type { WebhookResponse } from '../../domain/execution/stepRecord.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { ownMember, setKey } from '../../domain/ownMember.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import type { Plan } from '../../domain/workflow/plan.ts';
import { planNode } from '../../domain/workflow/planIndex.ts';
import { stepScope } from '../../engine/executions/expressionScope.ts';
import type { RecordedStep } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { atBegin } from './atBegin.ts';
import type { InlineRun, InlineSettlement } from './inlineRun.ts';
import { recordedOutcome } from './recordedOutcome.ts';
import type { RegionBudget } from './regionBudget.ts';

export interface MemoryScopeParts {
  services: ActivityServices;
  definition: CompiledDefinition;
  plan: Plan;
  at: Pick<InlineRun, 'workspaceId' | 'executionId' | 'iteration' | 'lineageId' | 'host' | 'workerFacts'>;
  /** For expressions. Each step that ends is added to it. */
  scope: Scope;
  progress: Progress;
  /** The steps that have a row. */
  steps: Record<string, RecordedStep>;
  budget: RegionBudget;
}

type RunNode = (run: InlineRun, step: RecordedStep | undefined) => InlineSettlement | Promise<InlineSettlement>;

/** Settles the inline nodes of a region or a loop iteration in memory. The caller writes the settlements. */
export class MemoryScope {
  readonly scope: Scope;
  readonly settled: InlineSettlement[] = [];
  progress: Progress;
  /** A node's row already had its outcome, so rows may exist that the progress does not contain. */
  hasRecorded = false;
  readonly #parts: MemoryScopeParts;

  constructor(parts: MemoryScopeParts) {
    this.#parts = parts;
    this.scope = parts.scope;
    this.progress = parts.progress;
  }

  /** The first response to the webhook's caller. */
  get response(): WebhookResponse | undefined {
    return this.settled.find(({ response }) => response)?.response;
  }

  /** Folds the outcome of a node: that of its row, otherwise the result of `run`. Yields to other work if it is due. */
  async settle(start: RegionStart, run: RunNode): Promise<Outcome> {
    const { definition, plan, steps, budget } = this.#parts;
    if (budget.eventLoop.isDue) await budget.eventLoop.take();
    const { nodeId, cause } = start;
    const compiled = definition.nodes.get(nodeId);
    if (!compiled) throw new Error(`The definition has no node ${nodeId}`);
    const step = ownMember(steps, nodeId);
    const attempt = 'attempt' in start ? start.attempt : (step?.attempt ?? 1);
    const recorded = recordedOutcome(nodeId, attempt, step, compiled.node.type, Date.now());
    const isOpen = recorded?.status === 'NEEDS_INPUT' || recorded?.status === 'WAITING';
    const isKnown = recorded !== undefined && (cause === 'run' || !isOpen);
    if (isKnown) this.hasRecorded = true;
    const outcome = isKnown ? recorded : await this.#run(compiled, start, attempt, step, run);
    this.progress = apply(plan, this.progress, outcome);
    return outcome;
  }

  async #run(
    compiled: CompiledNode,
    start: RegionStart,
    attempt: number,
    step: RecordedStep | undefined,
    run: RunNode,
  ): Promise<Outcome> {
    const { services, plan, at, budget } = this.#parts;
    const { id } = compiled.node;
    const startedAt = new Date();
    // Avoid a promise without `now`: loops run thousands of nodes.
    const scope = compiled.now
      ? await atBegin(services, compiled, at, this.scope, { begun: step?.startedAt, startedAt })
      : this.scope;
    const { label } = planNode(plan, id);
    const until =
      'reconnectUntil' in start && start.reconnectUntil !== undefined ? { reconnectUntil: start.reconnectUntil } : {};
    const one = { ...at, compiled, label, attempt, startedAt, scope, ...(step ? { stepId: step.id } : {}), ...until };
    const settlement = await run(one, step);
    this.settled.push(settlement);
    budget.spendBytes(settlement.bytes ?? 0);
    const { record, outcome } = settlement;
    if (record.status === 'COMPLETED' || record.status === 'FAILED') {
      const before = ownMember(this.scope.steps, id);
      setKey(this.scope.steps, id, { ...before, ...stepScope(record.output ?? null, record.error) });
    }
    return outcome;
  }
}

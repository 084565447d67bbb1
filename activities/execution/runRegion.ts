import type { RegionCall, RegionResult, RegionStart } from '../../domain/execution/activityCalls.ts';
import type { Outcome } from '../../domain/execution/outcome.ts';
import {
  apply,
  ending,
  openNodes,
  type Progress,
  planNode,
  ready,
  successors,
} from '../../domain/execution/progress.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { type Answered, expirePendingInput, readPendingInputs } from '../../prisma/store/execution/pendingInput.ts';
import type { ProgressWrite } from '../../prisma/store/execution/progressWrite.ts';
import { recordProgress } from '../../prisma/store/execution/recordProgress.ts';
import { type RunContext, readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { afterWrite } from './afterWrite.ts';
import { closeWith } from './executionClosing.ts';
import { expressionScope, stepScope, stepsToRead } from './expressionScope.ts';
import { runInlineNode } from './inlineNode.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { settleInput } from './inputNode.ts';
import { recordedOutcome } from './recordedOutcome.ts';
import { queuedRecords, settleFailure } from './stepSettlement.ts';

/** So that signals never wait long: a region hands back after this many nodes, or REGION_BUDGET_MS. */
const MAXIMUM_REGION_NODES = 500;

/**
 * Runs inline nodes from `start` on, as far as they go without the world outside or a person: one read, one
 * write. It may be run again after a crash: what it had written is taken as it stands.
 */
export async function runRegion(services: ActivityServices, call: RegionCall): Promise<RegionResult> {
  const definition = await services.definitions.get(call);
  const { database } = services;
  const answers = await readAnswers(services, call);
  const handed = call.sole ? services.handoff?.take(call.executionId, call.revision) : undefined;
  const context = handed ?? (await readFor(services, call, definition));
  if (!context) throw new Error(`Execution ${call.executionId} has no row`);

  const run = new RegionRun(services, call, definition, context, answers);
  await run.goOn();
  if (isTerminal(context.status)) return { outcomes: run.outcomes, closed: context.status };

  const write = run.toWrite();
  // With a question or a retry still open, the workflow ends it: that closes them too.
  const alone = call.sole && openNodes(run.progress).length === 0;
  const end = alone ? ending(definition.plan, run.progress) : undefined;
  if (end) write.close = await closeWith(services, call, definition, end, run.scope);
  const change = await recordProgress(database, call.workspaceId, call.executionId, write);
  if (change) services.feed.publish(change);
  if (change && handed && !end && !run.waits) {
    services.handoff?.put(call.executionId, change.revision, afterWrite(handed, write.steps));
  }
  // What was handed over is older than the row: it has ended meanwhile.
  if (!change && handed) return runRegion(services, call);
  return {
    outcomes: run.outcomes,
    ...(write.close ? { closed: write.close.status } : {}),
    ...(change ? { revision: change.revision } : {}),
  };
}

/** What the nodes that the region can reach name, from the rows. */
function readFor(services: ActivityServices, call: RegionCall, definition: CompiledDefinition) {
  const reads = stepsToRead(definition, inlineClosure(definition, call.start), call.sole);
  return readRunContext(services.database, call.workspaceId, call.executionId, reads);
}

/** Submissions of the starts that were answered; a question whose time is over is closed first. */
async function readAnswers(services: ActivityServices, call: RegionCall): Promise<Map<string, Answered>> {
  const { database } = services;
  const nodes = call.start.filter(({ cause }) => cause === 'submitted' || cause === 'expired');
  for (const { nodeId, cause } of nodes) {
    if (cause === 'expired') await expirePendingInput(database, call.workspaceId, call.executionId, nodeId);
  }
  if (nodes.length === 0) return new Map();
  return readPendingInputs(
    database,
    call.workspaceId,
    call.executionId,
    nodes.map(({ nodeId }) => nodeId),
  );
}

/** Inline nodes that can be reached from the starts through inline nodes. */
function inlineClosure(definition: CompiledDefinition, start: RegionStart[]): CompiledNode[] {
  const inline = new Set(definition.plan.nodes.filter((node) => node.placement === 'inline').map((node) => node.id));
  const found = new Map<string, CompiledNode>();
  const pending = start.map(({ nodeId }) => nodeId);
  for (let nodeId = pending.pop(); nodeId !== undefined; nodeId = pending.pop()) {
    const node = definition.nodes.get(nodeId);
    if (!node || found.has(nodeId)) continue;
    found.set(nodeId, node);
    pending.push(...successors(definition.plan, nodeId).filter((next) => inline.has(next)));
  }
  return [...found.values()];
}

/** The loop of one region: settles node after node and remembers what is to be written. */
class RegionRun {
  readonly outcomes: Outcome[] = [];
  readonly scope: Scope;
  progress: Progress;
  readonly #services: ActivityServices;
  readonly #call: RegionCall;
  readonly #definition: CompiledDefinition;
  readonly #context: RunContext;
  readonly #answers: Map<string, Answered>;
  readonly #settled: InlineSettlement[] = [];
  readonly #applied: string[] = [];

  constructor(
    services: ActivityServices,
    call: RegionCall,
    definition: CompiledDefinition,
    context: RunContext,
    answers: Map<string, Answered>,
  ) {
    this.#services = services;
    this.#call = call;
    this.#definition = definition;
    this.#context = context;
    this.#answers = answers;
    this.progress = call.progress;
    this.scope = expressionScope(call.executionId, context);
  }

  /** A person or a timer comes next. */
  get waits(): boolean {
    return this.outcomes.some(({ status }) => status === 'NEEDS_INPUT' || status === 'RETRYING');
  }

  async goOn(): Promise<void> {
    const deadline = Date.now() + this.#services.config.REGION_BUDGET_MS;
    const due: RegionStart[] = [...this.#call.start];
    const taken = new Set(due.map(({ nodeId }) => nodeId));
    for (let next = due.shift(); next && !this.progress.ended; next = due.shift()) {
      if (this.outcomes.length >= MAXIMUM_REGION_NODES || Date.now() > deadline) return;
      const outcome = await this.#settle(next);
      this.outcomes.push(outcome);
      this.progress = apply(this.#definition.plan, this.progress, outcome);
      for (const node of ready(this.#definition.plan, this.progress)) {
        if (node.placement !== 'inline' || taken.has(node.id)) continue;
        taken.add(node.id);
        due.push({ nodeId: node.id, cause: 'run', attempt: 1 });
      }
    }
  }

  /** Steps of the region, and the remote ones that it leads to as queued. */
  toWrite(): ProgressWrite {
    const { plan } = this.#definition;
    const queued = ready(plan, this.progress).filter((node) => node.placement === 'remote');
    const response = this.#settled.find((each) => each.response)?.response;
    return {
      steps: [
        ...this.#settled.map((each) => each.record),
        ...queuedRecords(
          this.#definition,
          queued.map((node) => node.id),
        ),
      ],
      inputRequests: this.#settled.flatMap((each) => (each.inputRequest ? [each.inputRequest] : [])),
      inputsApplied: this.#applied,
      ...(response ? { response } : {}),
    };
  }

  async #settle(start: RegionStart): Promise<Outcome> {
    const { nodeId, cause } = start;
    const compiled = this.#definition.nodes.get(nodeId);
    if (!compiled) throw new Error(`The definition has no node ${nodeId}`);
    const step = this.#context.steps[nodeId];
    const attempt = 'attempt' in start ? start.attempt : (step?.attempt ?? 1);
    const recorded = recordedOutcome(nodeId, attempt, step, compiled.node.type, Date.now());
    if (recorded && (cause === 'run' || recorded.status !== 'NEEDS_INPUT')) return recorded;

    const run: InlineRun = {
      executionId: this.#call.executionId,
      compiled,
      label: planNode(this.#definition.plan, nodeId).label,
      attempt,
      scope: this.scope,
      ...(step ? { stepId: step.id } : {}),
    };
    const settlement = await this.#run(run, cause);
    this.#settled.push(settlement);
    const { record, outcome } = settlement;
    if (record.status === 'COMPLETED' || record.status === 'FAILED') {
      this.scope.steps[nodeId] = stepScope(record.output ?? null, record.error);
    }
    return outcome;
  }

  #run(run: InlineRun, cause: RegionStart['cause']): InlineSettlement | Promise<InlineSettlement> {
    const nodeId = run.compiled.node.id;
    if (cause === 'run') return runInlineNode(run, this.#services);
    if (cause === 'lost') {
      const message = 'The workers that ran this attempt went away, again and again';
      return settleFailure(attemptOf(run), { code: 'WORKER_LOST', message, retryable: true });
    }
    const answered = this.#answers.get(nodeId);
    if (!answered) throw new Error(`The question of ${nodeId} has no row`);
    this.#applied.push(nodeId);
    return settleInput(run, this.#definition.plan, answered);
  }
}

import type { Config } from '../../config.ts';
import {
  isAnswer,
  isTakenOver,
  nodesToCheck,
  type ResolvedNode,
  type ReuseRefusal,
  refusedReuse,
} from '../../domain/execution/retryReuse.ts';
import { ExpressionError } from '../../domain/expression/expressionError.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { Json } from '../../domain/json.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { planNode } from '../../domain/workflow/planIndex.ts';
import type { Database } from '../../prisma/client.ts';
import { readRunContext } from '../../prisma/store/execution/runContext.ts';
import {
  readAnsweredExecutions,
  readStepsToReuse,
  type StepToReuse,
} from '../../prisma/store/execution/stepsToReuse.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { childIdOf } from './childIdOf.ts';
import type { ExecutionIds } from './executionIds.ts';
import { contextFor, expressionScope, type ScopeParts } from './expressionScope.ts';

export interface ReuseParts extends ScopeParts {
  config: Pick<Config, 'MAX_COMPARED_STEPS'>;
  database: Database;
  evaluation: Evaluation;
  executionIds: ExecutionIds;
}

export interface ReuseOf {
  workspaceId: string;
  executionId: string;
  definition: CompiledDefinition;
  fromStep: string;
  /** Nodes that the retry would reuse under the original input. */
  keeping: { kept: string[]; opened: string[] };
  trigger: { before: Json; after: Json };
}

/** Nodes whose steps the changed trigger makes unusable: those before `fromStep`, and others, which run again. */
export interface Unusable {
  before: Map<string, ReuseRefusal>;
  others: string[];
}

export async function unusableUnderInput(parts: ReuseParts, of: ReuseOf): Promise<Unusable> {
  const { workspaceId, executionId, definition, keeping, fromStep } = of;
  const { plan } = definition;
  const checked = nodesToCheck(plan, keeping, fromStep);
  const concerned = checked.flatMap(({ node }) => {
    const compiled = definition.nodes.get(node.id);
    const isConcerned = isAnswer(node) || node.type === 'runWorkflow' || (compiled && readsTrigger(compiled));
    return isConcerned ? [node.id] : [];
  });
  const refused = new Map<string, ReuseRefusal>();
  const limit = parts.config.MAX_COMPARED_STEPS + 1;
  const rows =
    concerned.length === 0 ? [] : await readStepsToReuse(parts.database, workspaceId, executionId, concerned, limit);
  if (rows.length === limit) {
    // The rows beyond the limit may belong to any of these nodes.
    for (const id of concerned) refused.set(id, isAnswer(planNode(plan, id)) ? 'answer' : 'tooMany');
  }
  const steps = rows.filter(({ nodeId, status }) => isTakenOver(planNode(plan, nodeId), status));
  for (const nodeId of await withAnsweredChild(parts, of, steps))
    if (!refused.has(nodeId)) refused.set(nodeId, 'childAnswer');
  for (const step of steps) {
    if (refused.has(step.nodeId)) continue;
    const reason = await refusalOf(parts, of, step);
    if (reason !== undefined) refused.set(step.nodeId, reason);
  }
  const isBefore = new Set(checked.flatMap(({ node, isBefore }) => (isBefore ? [node.id] : [])));
  const inOrder = plan.nodes.flatMap(({ id }) => {
    const reason = refused.get(id);
    return reason === undefined ? [] : [[id, reason] as const];
  });
  return {
    before: new Map(inOrder.filter(([id]) => isBefore.has(id))),
    others: inOrder.flatMap(([id]) => (isBefore.has(id) ? [] : [id])),
  };
}

function readsTrigger({ references, repeat }: CompiledNode): boolean {
  return references.trigger || loopConditionReadsTrigger(repeat);
}

function loopConditionReadsTrigger(repeat: CompiledNode['repeat']): boolean {
  return [repeat?.while, repeat?.until].some((one) => one?.references.trigger === true);
}

async function withAnsweredChild(parts: ReuseParts, of: ReuseOf, steps: readonly StepToReuse[]): Promise<Set<string>> {
  const nodes = new Map<string, string>();
  for (const { nodeId, iteration, ranIn } of steps) {
    if (planNode(of.definition.plan, nodeId).type !== 'runWorkflow') continue;
    nodes.set(childIdOf(parts.executionIds, ranIn, nodeId, iteration), nodeId);
  }
  if (nodes.size === 0) return new Set();
  const answered = await readAnsweredExecutions(parts.database, of.workspaceId, [...nodes.keys()]);
  return new Set([...answered].flatMap((id) => nodes.get(id) ?? []));
}

async function refusalOf(parts: ReuseParts, of: ReuseOf, step: StepToReuse): Promise<ReuseRefusal | undefined> {
  const { workspaceId, definition, trigger } = of;
  const { nodeId, executionId, iteration } = step;
  const compiled = definition.nodes.get(nodeId);
  if (!compiled) return undefined;
  if (isAnswer(compiled.node)) return 'answer';
  // The condition was evaluated around each iteration, also around the one that it ended.
  if (loopConditionReadsTrigger(compiled.repeat)) return 'inputs';
  if (!compiled.references.trigger) return undefined;
  const at = iteration === '' ? {} : { iteration };
  const context = await readRunContext(
    parts.database,
    workspaceId,
    executionId,
    contextFor(definition, [compiled], at),
  );
  if (!context) return 'inputs';
  const scope = expressionScope(parts, definition, { workspaceId, executionId, ...at }, context);
  const now = compiled.now ? { now: new Date(context.steps[nodeId]?.startedAt ?? 0).toISOString() } : {};
  const under = (value: Json) => resolved(parts, workspaceId, compiled, { ...scope, ...now, trigger: value });
  return refusedReuse(compiled.node.type, await under(trigger.before), await under(trigger.after));
}

async function resolved(
  { evaluation }: ReuseParts,
  workspaceId: string,
  compiled: CompiledNode,
  scope: Scope,
): Promise<ResolvedNode> {
  try {
    const { type } = compiled.node;
    if (type === 'condition') return { value: await evaluation.condition(workspaceId, compiled, scope) };
    if (type === 'switch') return { value: await evaluation.switch(workspaceId, compiled, scope) };
    const inputs = await evaluation.inputs(workspaceId, compiled, scope);
    return 'problem' in inputs ? { error: inputs.problem } : { value: inputs.values };
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof RangeError) return { error: error.message };
    throw error;
  }
}

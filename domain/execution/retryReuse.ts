/**
 * Decides which steps a retry with `fromStep` may reuse with another input. A step is reused only if the new trigger
 * resolves its inputs to the same values. A person's answer is never reused: it was given for the old input.
 */
import { isEqualJson } from '../isEqualJson.ts';
import type { Json } from '../json.ts';
import { Problem } from '../problem.ts';
import { isLoop, type NodeType } from '../workflow/definition.ts';
import type { Plan } from '../workflow/plan.ts';

export type ReuseRefusal = 'answer' | 'childAnswer' | 'inputs' | 'decision' | 'tooMany';

const REASONS: Readonly<Record<ReuseRefusal, string>> = {
  answer: 'a person answered it for the original input',
  childAnswer: 'a person answered a question of its execution for the original input',
  inputs: 'the new input changes its inputs',
  decision: 'it decides otherwise under the new input',
  tooMany: 'it and others ran in too many iterations to compare their inputs (MAX_COMPARED_STEPS)',
};

/** The inputs of a node, the decision of a condition or switch, or the error of its expressions. */
export type ResolvedNode = { value: Json } | { error: string };

/** Returns undefined if the step may be reused. `was` and `is` are resolved with the original and the new trigger. */
export function refusedReuse(type: NodeType, was: ResolvedNode, is: ResolvedNode): ReuseRefusal | undefined {
  if (isEqualJson(was as unknown as Json, is as unknown as Json)) return undefined;
  return type === 'condition' || type === 'switch' ? 'decision' : 'inputs';
}

export function isAnswer({ type }: { type: NodeType }): boolean {
  return type === 'input';
}

export function withInside(plan: Plan, nodeIds: Iterable<string>): Set<string> {
  const found = new Set(nodeIds);
  let size = -1;
  while (size !== found.size) {
    size = found.size;
    for (const { id, parentId } of plan.nodes) if (parentId !== undefined && found.has(parentId)) found.add(id);
  }
  return found;
}

/** Returns the nodes that lead to `fromStep` or contain it, and everything inside the loops that lead to it. */
export function nodesBefore(plan: Plan, fromStep: string): Set<string> {
  const parents = new Map(plan.nodes.map(({ id, parentId }) => [id, parentId]));
  const leading = new Set<string>();
  const around = new Set<string>();
  for (let at: string | undefined = fromStep; at !== undefined; at = parents.get(at)) {
    if (at !== fromStep) around.add(at);
    const pending = [at];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const { from, to } of plan.edges) {
        if (to !== next || leading.has(from) || !parents.has(from)) continue;
        leading.add(from);
        pending.push(from);
      }
    }
  }
  return new Set([...around, ...withInside(plan, leading)]);
}

/** Returns the nodes of kept and resumed steps, including those inside loops, that may depend on the trigger. */
export function nodesToCheck(plan: Plan, { kept, opened }: { kept: string[]; opened: string[] }, fromStep: string) {
  const before = nodesBefore(plan, fromStep);
  const again = withInside(plan, [fromStep]);
  const found = withInside(plan, [...kept, ...opened]);
  return plan.nodes
    .filter(({ id }) => found.has(id) && !again.has(id))
    .map((node) => ({ node, isBefore: before.has(node.id) }));
}

/** Returns the answers of people that exclude a retry from `fromStep` with any other input. */
export function answersBefore(
  plan: Plan,
  keeping: { kept: string[]; opened: string[] },
  fromStep: string,
): Map<string, ReuseRefusal> {
  const found = nodesToCheck(plan, keeping, fromStep).filter(({ node, isBefore }) => isBefore && isAnswer(node));
  return new Map(found.map(({ node }) => [node.id, 'answer' as const]));
}

/** Returns whether a retry takes over a step whose node may be kept: it succeeded, or it is a loop that resumes. */
export function isTakenOver({ type, onError }: Plan['nodes'][number], status: string): boolean {
  return status === 'COMPLETED' || isLoop(type) || (status === 'FAILED' && onError !== undefined);
}

export function notReusable(refused: ReadonlyMap<string, ReuseRefusal>): Problem {
  const errors = [...refused].map(([nodeId, reason]) => ({
    path: `steps.${nodeId}`,
    message: `${REASONS[reason]}: the retry must begin at this step or earlier`,
    nodeId,
  }));
  const places = errors
    .map(({ nodeId, message }) => (errors.length === 1 ? `${nodeId}: ${message}` : nodeId))
    .join(', ');
  return new Problem('RETRY_NOT_ALLOWED', `Steps before fromStep cannot be reused with this input: ${places}`, {
    errors,
  });
}

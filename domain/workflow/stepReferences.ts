import type { Catalogue } from '../app/manifest.ts';
import type { Json } from '../json.ts';
import { pathTo } from '../place.ts';
import type { Edge, Node, TriggerNode } from './definition.ts';
import { checkExpressions, type PlacedReferences } from './expressionProblems.ts';
import { upstreamOf } from './graph.ts';
import { checkMembers } from './knownKinds.ts';
import type { PlacedNode } from './nodeShape.ts';
import { loopsAround } from './parents.ts';
import type { Problems } from './problems.ts';

type Report = (path: string, message: string) => void;

/** Inputs of `repeat` that are evaluated around its iterations, so that they see the steps inside. */
const AROUND_ITERATIONS = ['while', 'until'];

/**
 * Steps can have run before if they are on a path to the node in the same scope, or on a path to the loop in an
 * enclosing scope. Steps inside a loop are not visible outside.
 */
export function checkReferences(
  nodes: readonly PlacedNode[],
  edges: readonly Edge[],
  output: Json | undefined,
  trigger: TriggerNode,
  { declared, catalogue }: { declared: ReadonlySet<string>; catalogue: Catalogue },
  problems: Problems,
): void {
  const isUpstream = upstreamOf([...declared], edges);
  const byId = new Map(nodes.map(({ node }) => [node.id, node]));
  const known = { trigger, nodes: byId, catalogue };

  function problemOf(nodeId: string, step: string, seesInside: boolean): string | undefined {
    const scope = byId.get(step)?.parentId;
    if (seesInside && scope === nodeId) return undefined;
    const around = loopsAround(byId, nodeId);
    const index = scope === undefined ? around.length : around.indexOf(scope);
    if (index === -1) return `the node ${step} is inside the loop ${scope}: its output can be read only there`;
    const standIn = index === 0 ? nodeId : (around[index - 1] as string);
    if (around.includes(step)) return `the loop ${step} cannot have ended before ${nodeId}, which is inside it`;
    if (isUpstream(standIn, step)) return undefined;
    return `the node ${step} cannot have run before ${nodeId}: no path leads from it`;
  }

  for (const { node, path } of nodes) {
    const report: Report = (place, message) => problems.add(place, message, node.id);
    for (const found of checkExpressions(node.inputs ?? {}, pathTo(path, 'inputs'), report)) {
      const inside =
        node.type === 'repeat' && AROUND_ITERATIONS.some((key) => found.path === pathTo(pathTo(path, 'inputs'), key));
      checkSteps(found, declared, report, (step) => problemOf(node.id, step, inside));
      const around = inside ? [node.id, ...loopsAround(byId, node.id)] : loopsAround(byId, node.id);
      checkLinks(found, byId, around, report);
      checkLoops(found, around, report);
      checkMembers(found, known, report);
    }
  }
  if (output === undefined) return;
  const report: Report = (place, message) => problems.add(place, message);
  for (const found of checkExpressions(output, 'output', report)) {
    checkSteps(found, declared, report, (step) => {
      const scope = byId.get(step)?.parentId;
      return scope === undefined
        ? undefined
        : `the node ${step} is inside the loop ${scope}: its output can be read only there`;
    });
    checkLinks(found, byId, [], report);
    checkLoops(found, [], report);
    checkMembers(found, known, report);
  }
}

/** Links exist from the beginning of their scope, so no path from the question is needed. */
function checkLinks(
  { path, references }: PlacedReferences,
  byId: ReadonlyMap<string, Node>,
  around: readonly string[],
  report: Report,
): void {
  for (const id of references.links) {
    const node = byId.get(id);
    if (node?.type !== 'input') {
      report(path, `${id} is not an input node: steps.${id}.link does not exist`);
    } else if (node.parentId !== undefined && !around.includes(node.parentId)) {
      report(path, `the node ${id} is inside the loop ${node.parentId}: its link can be read only there`);
    }
  }
}

function checkLoops({ path, references }: PlacedReferences, around: readonly string[], report: Report): void {
  if (references.loop && around.length === 0) report(path, 'loop exists only inside loops');
  for (const id of references.loops) {
    if (!around.includes(id)) report(path, `${id} is not a loop around this node: loops.${id} does not exist here`);
  }
}

function checkSteps(
  { path, references }: PlacedReferences,
  declared: ReadonlySet<string>,
  report: Report,
  problemOf: (step: string) => string | undefined,
): void {
  for (const step of references.steps) {
    const problem = declared.has(step) ? problemOf(step) : `there is no node ${step}: steps.${step} does not exist`;
    if (problem !== undefined) report(path, problem);
  }
}

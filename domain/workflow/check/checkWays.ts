import type { Json } from '../../json.ts';
import { pathTo } from '../../place.ts';
import type { Edge, Node } from '../definition.ts';
import { caseNames } from '../handles.ts';
import type { PlacedNode } from '../nodeShape.ts';
import type { Problems } from '../problems.ts';
import { NEVER, TooManyWays } from './formulas.ts';
import { skippedStepProblems } from './skippedSteps.ts';
import { StepWays } from './stepWays.ts';

export interface CheckedGraph {
  nodes: readonly PlacedNode[];
  edges: readonly Edge[];
  output: Json | undefined;
}

/**
 * Reports reads of steps that may be skipped on the way to the reader, and what no way reaches. Silent for graphs with
 * too many independent decisions, since an alarm must be certain.
 */
export function checkWays({ nodes, edges, output }: CheckedGraph, problems: Problems): void {
  const paths = new Map(nodes.map(({ node, path }) => [node.id, path]));
  try {
    const all = { nodes: nodes.map(({ node }) => node), edges, output };
    const ways = new StepWays(all, ({ id }) => paths.get(id) as string);
    for (const problem of skippedStepProblems(ways)) problems.report(problem);
    reportUnreached(nodes, edges, ways, problems);
  } catch (error) {
    if (!(error instanceof TooManyWays)) throw error;
  }
}

function reportUnreached(
  nodes: readonly PlacedNode[],
  edges: readonly Edge[],
  ways: StepWays,
  problems: Problems,
): void {
  const possible = ways.possible();
  const isReached = (id: string) => ways.formulas.and(ways.reaches(id), possible) !== NEVER;
  const isTaken = (id: string, handle: string) =>
    ways.formulas.and(ways.reaches(id), ways.takes(id, handle), possible) !== NEVER;
  const byId = new Map(nodes.map(({ node }) => [node.id, node]));
  for (const { node, path } of nodes) {
    const { id, parentId } = node;
    const warn = (place: string, message: string) =>
      problems.report({ path: place, message, nodeId: id, code: 'NEVER_REACHED', severity: 'warning' });
    const before = edges.filter(({ target }) => target === id).map(({ source }) => source);
    const outer = parentId === undefined ? before : [...before, parentId];
    if (isReached(id)) {
      const expires = edges.some(({ source, sourceHandle }) => source === id && sourceHandle === 'expired');
      const decisions = decisionProblems(node, expires, (handle) => isTaken(id, handle));
      for (const [place, message] of decisions) warn(`${pathTo(path, 'inputs')}.${place}`, message);
    }
    // The nodes behind one that is not reached are not reported too.
    else if (outer.every((each) => !byId.has(each) || isReached(each))) warn(path, 'no execution comes to this node');
  }
}

/** Returns the places in the inputs of a decision that is always the same, and why. */
function decisionProblems(node: Node, expires: boolean, isTaken: (handle: string) => boolean): [string, string][] {
  const { type } = node;
  if (type === 'condition') {
    const [yes, no] = [isTaken('true'), isTaken('false')];
    return yes === no ? [] : [['condition', `is always ${yes} here`]];
  }
  if (type === 'switch') {
    return [...caseNames(node).entries()]
      .filter(([, name]) => !isTaken(name))
      .map(([index, name]) => [pathTo('cases', index), `no execution takes the case ${name}`]);
  }
  if (type !== 'input' || !expires || isTaken('expired')) return [];
  return [['expiresInMs', 'is missing, so the way expired is never taken']];
}

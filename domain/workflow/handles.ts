import { isJsonObject } from '../json.ts';
import type { Node, NodeType } from './definition.ts';

/** The handles of each node type other than `error`; undefined is the default one. */
const WAYS_OUT: Readonly<Record<NodeType, (node: Node) => (string | undefined)[]>> = {
  action: () => [undefined],
  condition: () => ['true', 'false'],
  switch: (node) => [...caseNames(node), 'default'],
  forEach: () => [undefined],
  repeat: () => [undefined],
  delay: () => [undefined],
  runWorkflow: () => [undefined],
  input: () => [undefined, 'expired'],
  respond: () => [undefined],
  // It ends the execution, so nothing follows.
  stop: () => [],
};

/** Returns the handles that edges may use at the node; undefined means an edge without a handle. */
export function handlesOf(node: Node): (string | undefined)[] {
  return [...WAYS_OUT[node.type](node), ...(node.onError === 'route' ? ['error'] : [])];
}

export function caseNames(node: Node): string[] {
  const cases = node.inputs?.cases;
  if (!Array.isArray(cases)) return [];
  return cases.flatMap((one) => (isJsonObject(one) && typeof one.name === 'string' ? [one.name] : []));
}

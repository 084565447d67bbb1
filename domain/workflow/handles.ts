import { isJsonObject } from '../json.ts';
import type { Node, NodeType } from './definition.ts';

/** How a step can be left beside `error`: undefined is the plain way out. */
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
  // It ends the execution: nothing comes after it.
  stop: () => [],
};

/** The handles that edges may leave the node by; undefined stands for an edge without one. */
export function handlesOf(node: Node): (string | undefined)[] {
  return [...WAYS_OUT[node.type](node), ...(node.onError === 'route' ? ['error'] : [])];
}

/** The names of a switch's cases, as far as they are constant. */
export function caseNames(node: Node): string[] {
  const cases = node.inputs?.cases;
  if (!Array.isArray(cases)) return [];
  return cases.flatMap((one) => (isJsonObject(one) && typeof one.name === 'string' ? [one.name] : []));
}

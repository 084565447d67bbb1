import { isEqualJson } from '../isEqualJson.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { isLoop, keepsOutputs, type Node } from './definition.ts';
import type { PlannedDefinition } from './planOf.ts';

/** What a later version of a workflow has in common with an earlier one. */
export interface Unchanged {
  /** Nodes that do the same: equal definitions, names and positions aside, and the same edges leading to them. */
  nodes: ReadonlySet<string>;
  /** Nodes to which the same edges lead, whatever they do; others are new at their place. */
  led: ReadonlySet<string>;
  /** Loops, unchanged themselves, inside which other nodes or edges stand. */
  reshaped: ReadonlySet<string>;
  /** Of unchanged loops: the inputs by which their iterations run, where others than before. */
  ways: ReadonlyMap<string, JsonObject>;
  /** Loops, unchanged themselves, that make another output of their iterations. */
  otherOutput: ReadonlySet<string>;
}

/** Inputs of a loop that say how its iterations run, not which ones there are. */
const WAYS = ['concurrency', 'onItemError', 'pauseMs', 'maximumIterations', 'keepOutputs'] as const;

/**
 * Compares two versions node by node. A loop is unchanged where its items or conditions are, whatever stands inside and
 * however many of its iterations run at once.
 */
export function unchangedNodes(before: PlannedDefinition, after: PlannedDefinition): Unchanged {
  const [old, now] = [waysIn(before), waysIn(after)];
  const nodes = new Set<string>();
  const led = new Set<string>();
  const reshaped = new Set<string>();
  const ways = new Map<string, JsonObject>();
  const otherOutput = new Set<string>();
  const [oldBodies, bodies] = [bodiesOf(before), bodiesOf(after)];
  for (const { id } of after.plan.nodes) {
    const [was, is] = [before.nodes.get(id)?.node, after.nodes.get(id)?.node];
    if (!was || !is || was.parentId !== is.parentId || old.get(id) !== now.get(id)) continue;
    led.add(id);
    if (!isEqualJson(work(was), work(is))) continue;
    if (isLoop(is.type)) {
      const changed = changedWays(was.inputs ?? {}, is.inputs ?? {});
      if (!changed) continue;
      ways.set(id, changed);
      if (keepsOutputs(was) !== keepsOutputs(is)) otherOutput.add(id);
      if (oldBodies.get(id) !== bodies.get(id)) reshaped.add(id);
    }
    nodes.add(id);
  }
  return { nodes, led, reshaped, ways, otherOutput };
}

/** By the id of each node: the edges that lead to it, as text. */
function waysIn({ plan }: PlannedDefinition): Map<string, string> {
  const incoming = new Map<string, string[]>(plan.nodes.map(({ id }) => [id, []]));
  for (const { from, to, handle } of plan.edges) incoming.get(to)?.push(JSON.stringify([from, handle ?? null]));
  return new Map([...incoming].map(([id, edges]) => [id, edges.sort().join()]));
}

/** By the id of each loop: the nodes directly inside, and their edges, as text. */
function bodiesOf(definition: PlannedDefinition): Map<string, string> {
  const led = waysIn(definition);
  const bodies = new Map<string, string[]>();
  for (const { id, parentId } of definition.plan.nodes) {
    if (parentId !== undefined) bodies.set(parentId, [...(bodies.get(parentId) ?? []), `${id} ${led.get(id)}`]);
  }
  return new Map([...bodies].map(([id, inside]) => [id, inside.sort().join('\n')]));
}

/** Names and positions do not count; of a loop only its items and conditions do. */
function work(node: Node): object {
  const { name: _name, position: _position, ...rest } = node;
  if (!isLoop(node.type)) return rest;
  const { type, inputs = {} } = node;
  return { type, inputs: Object.fromEntries(Object.entries(inputs).filter(([key]) => !isWay(key))) };
}

function isWay(key: string): boolean {
  return (WAYS as readonly string[]).includes(key);
}

/** Undefined where one of them is an expression, which is evaluated only when the loop begins. */
function changedWays(was: JsonObject, is: JsonObject): JsonObject | undefined {
  const changed: JsonObject = {};
  for (const key of WAYS) {
    const value = is[key] ?? null;
    if (isEqualJson(was[key] ?? null, value)) continue;
    if (typeof value === 'string' && value.includes('{{')) return undefined;
    if (isJsonObject(value) || Array.isArray(value)) return undefined;
    changed[key] = value;
  }
  return changed;
}

import { isEqualJson } from '../isEqualJson.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { isLoop, keepsOutputs, type Node } from './definition.ts';
import type { PlannedDefinition } from './planOf.ts';

export interface Unchanged {
  /** Nodes with equal definitions, except for names and positions, and with the same incoming edges. */
  nodes: ReadonlySet<string>;
  /** Nodes with the same incoming edges, even if their definition differs. All others are new at their place. */
  led: ReadonlySet<string>;
  /** Unchanged loops that contain changed nodes or edges. */
  reshaped: ReadonlySet<string>;
  /** For unchanged loops: inputs about how their iterations run, if they changed. */
  ways: ReadonlyMap<string, JsonObject>;
  /** Unchanged loops whose iterations have another output. */
  otherOutput: ReadonlySet<string>;
}

/** Inputs that determine how a loop's iterations run, not which ones there are. */
const WAYS = ['concurrency', 'onItemError', 'pauseMs', 'maximumIterations', 'keepOutputs'] as const;

/** A loop is unchanged if its items or conditions are equal, regardless of its contents and its concurrency. */
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

function waysIn({ plan }: PlannedDefinition): Map<string, string> {
  const incoming = new Map<string, string[]>(plan.nodes.map(({ id }) => [id, []]));
  for (const { from, to, handle } of plan.edges) incoming.get(to)?.push(JSON.stringify([from, handle ?? null]));
  return new Map([...incoming].map(([id, edges]) => [id, edges.sort().join()]));
}

function bodiesOf(definition: PlannedDefinition): Map<string, string> {
  const led = waysIn(definition);
  const bodies = new Map<string, string[]>();
  for (const { id, parentId } of definition.plan.nodes) {
    if (parentId !== undefined) bodies.set(parentId, [...(bodies.get(parentId) ?? []), `${id} ${led.get(id)}`]);
  }
  return new Map([...bodies].map(([id, inside]) => [id, inside.sort().join('\n')]));
}

/** Ignores names and positions; for a loop, compares only its items and conditions. */
function work(node: Node): object {
  const { name: _name, position: _position, ...rest } = node;
  if (!isLoop(node.type)) return rest;
  const { type, inputs = {} } = node;
  return { type, inputs: Object.fromEntries(Object.entries(inputs).filter(([key]) => !isWay(key))) };
}

function isWay(key: string): boolean {
  return (WAYS as readonly string[]).includes(key);
}

/** Returns undefined if one of them is an expression, which has no value until the loop begins. */
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

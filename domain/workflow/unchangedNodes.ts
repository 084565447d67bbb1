import type { Json } from '../json.ts';
import { canonicalJson } from './canonical.ts';
import type { CompiledDefinition } from './compile.ts';
import type { Node } from './definition.ts';

/**
 * Nodes at the top that do the same in both versions: with equal definitions, their names and positions aside, the
 * same edges leading to them, and, of loops, the same nodes and edges inside.
 */
export function unchangedNodes(before: CompiledDefinition, after: CompiledDefinition): Set<string> {
  const [old, now] = [fingerprints(before), fingerprints(after)];
  return new Set([...now].filter(([id, text]) => old.get(id) === text).map(([id]) => id));
}

/** By the id of each node at the top: its effective definition, as text. */
function fingerprints({ nodes, plan }: CompiledDefinition): Map<string, string> {
  const incoming = new Map<string, string[]>();
  for (const { from, to, handle } of plan.edges) {
    const sources = incoming.get(to) ?? [];
    sources.push(JSON.stringify([from, handle ?? null]));
    incoming.set(to, sources);
  }
  const own = (id: string): Json => [work(nodes.get(id)?.node), (incoming.get(id) ?? []).sort()];
  const children = new Map<string, string[]>();
  for (const { id, parentId } of plan.nodes) {
    if (parentId !== undefined) children.set(parentId, [...(children.get(parentId) ?? []), id]);
  }
  const whole = (id: string): Json => [own(id), ...(children.get(id) ?? []).sort().map(whole)];
  const top = plan.nodes.filter(({ parentId }) => parentId === undefined);
  return new Map(top.map(({ id }) => [id, canonicalJson(whole(id))]));
}

/** Names and positions do not count. */
function work(node: Node | undefined): Json {
  const { name: _name, position: _position, ...rest } = node ?? {};
  return rest as unknown as Json;
}

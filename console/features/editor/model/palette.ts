import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { JsonObject } from '../../../../domain/json.ts';
import {
  type Definition,
  type Edge,
  isLoop,
  type Node,
  type NodeType,
  TRIGGER_ID,
} from '../../../../domain/workflow/definition.ts';
import { keyOf } from '../../../ui/keyOf.ts';
import { EDITOR } from '../words.ts';
import { edgeOf, nodeOf, walkingOrder, waysOut } from './graphChanges.ts';

const words = EDITOR;

export interface PaletteEntry {
  key: string;
  group: string;
  /** An action of an app of the workspace. */
  isCustom?: boolean;
  name: string;
  description: string;
  icon?: string;
  node: NewNode;
  wish: string;
}

type ControlType = Exclude<NodeType, 'action'>;

/** Preferred ids and initial inputs. */
const CONTROL: Record<ControlType, { wish: string; inputs: JsonObject }> = {
  condition: { wish: 'check', inputs: {} },
  switch: { wish: 'choose', inputs: { cases: [] } },
  forEach: { wish: 'each', inputs: {} },
  repeat: { wish: 'repeat', inputs: { times: 3 } },
  input: { wish: 'ask', inputs: { fields: [], submitters: 'members' } },
  delay: { wish: 'wait', inputs: { forMs: 60_000 } },
  runWorkflow: { wish: 'run', inputs: {} },
  respond: { wish: 'respond', inputs: {} },
  stop: { wish: 'stop', inputs: { outcome: 'completed' } },
};

const wishOf = ({ type, actionId }: Pick<Node, 'type' | 'actionId'>): string | undefined =>
  type === 'action' ? actionId : CONTROL[type].wish;

function controlEntries(): PaletteEntry[] {
  return (Object.keys(CONTROL) as ControlType[]).map((type) => ({
    key: type,
    group: words.palette.control,
    name: words.types[type],
    description: words.typeHelp[type],
    node: { type, name: words.types[type], inputs: CONTROL[type].inputs },
    wish: CONTROL[type].wish,
  }));
}

export function paletteOf(apps: readonly (AppManifest & { isCustom?: boolean })[]): PaletteEntry[] {
  const actions = apps.flatMap(({ appId, name: group, icon, actions: list, isCustom = false }) =>
    list.map((action) => ({
      key: `${appId}.${action.actionId}`,
      ...{ group, isCustom },
      name: action.name,
      description: action.description,
      icon: action.icon ?? icon,
      node: { type: 'action' as const, name: action.name, appId, actionId: action.actionId, inputs: {} },
      wish: action.actionId,
    })),
  );
  return [...controlEntries(), ...actions];
}

/** Finds entries that contain every word. Names that start with the text come first. */
export function found(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const asked = text.trim().toLowerCase();
  if (asked === '') return [...entries];
  const parts = asked.split(/\s+/);
  const hit = ({ key, group, name, description }: PaletteEntry) => {
    const all = `${name} ${group} ${key} ${description}`.toLowerCase();
    return parts.every((part) => all.includes(part));
  };
  const rank = ({ name }: PaletteEntry) =>
    name.toLowerCase().startsWith(asked) ? 0 : name.toLowerCase().includes(asked) ? 1 : 2;
  return entries.filter(hit).sort((a, b) => rank(a) - rank(b));
}

/** Returns a data URL. An image source runs no scripts. */
export function iconAddress(svg: string): string {
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

/** The spot for a new node: after another node or the trigger, optionally by a certain way, or first in a loop. */
export type Spot = { after: string; way?: string } | { inside: string };

type NewNode = Omit<Node, 'id' | 'parentId'>;

interface Added {
  definition: Definition;
  id: string;
}

/** Returns an unused id: `set`, `set2`, … */
export function freeId(definition: Definition, wish: string): string {
  const base =
    wish
      .replace(/[^A-Za-z0-9_]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 48) || 'step';
  const taken = new Set([TRIGGER_ID, ...definition.nodes.map(({ id }) => id)]);
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? base : `${base}${count}`;
    if (!taken.has(id)) return id;
  }
}

/** Returns the top-level nodes that start with the execution: no edge leads to them, or one from the trigger. */
export function firstNodes({ nodes, edges }: Definition): string[] {
  const led = new Set(edges.filter(({ source }) => source !== TRIGGER_ID).map(({ target }) => target));
  return nodes.filter(({ id, parentId }) => parentId === undefined && !led.has(id)).map(({ id }) => id);
}

/** Ways for failures and timeouts, which are never chosen by default. */
const ASIDE: ReadonlySet<string | undefined> = new Set(['error', 'expired']);

/** Adds a node, by the requested way, the first free one, or else between the node and its successors. */
export function withNode(definition: Definition, fresh: NewNode, wish: string, spot: Spot): Added {
  if ('inside' in spot) return placed(definition, fresh, wish, spot.inside);
  const { after, way } = spot;
  const added = placed(definition, fresh, wish, nodeOf(definition, after)?.parentId);
  const { id } = added;
  const ways = waysOut(definition, after);
  if (ways.length === 0) return added;
  const edges = after === TRIGGER_ID ? beforeAll(definition, added) : behind(definition, added, after, ways, way);
  return { definition: { ...added.definition, edges }, id };
}

/** Adds a node between the ends of an edge; undefined if nothing can follow the node, or the edge is gone. */
export function withNodeOnEdge(
  definition: Definition,
  fresh: NewNode,
  wish: string,
  edge: Pick<Edge, 'source' | 'target' | 'sourceHandle'>,
): Added | undefined {
  const { source, target, sourceHandle } = edge;
  const next = nodeOf(definition, target);
  if (next === undefined) return undefined;
  const added = placed(definition, fresh, wish, next.parentId);
  const { id } = added;
  const onwards = onwardsOf(added, [target]);
  if (onwards.length === 0) return undefined;
  const isIt = (one: Edge) => one.source === source && one.target === target && one.sourceHandle === sourceHandle;
  // A node without an incoming edge starts with the trigger, so no edge from the trigger is needed.
  const first = source === TRIGGER_ID ? [] : [edgeOf(source, id, sourceHandle)];
  const edges = [...definition.edges.filter((one) => !isIt(one)), ...first, ...onwards];
  return { definition: { ...added.definition, edges }, id };
}

function placed(definition: Definition, fresh: NewNode, wish: string, parentId: string | undefined): Added {
  const id = freeId(definition, wish);
  const node = { ...fresh, id, ...(parentId === undefined ? {} : { parentId }) } as Node;
  return { definition: { ...definition, nodes: [...definition.nodes, node] }, id };
}

function onwardsOf({ definition, id }: Added, targets: readonly string[]): Edge[] {
  const ways = waysOut(definition, id);
  return ways.length === 0 ? [] : targets.map((target) => edgeOf(id, target, ways[0]));
}

function beforeAll(definition: Definition, added: Added): Edge[] {
  const kept = definition.edges.filter(({ source }) => source !== TRIGGER_ID);
  return [...kept, ...onwardsOf(added, firstNodes(definition))];
}

function behind(
  { edges }: Definition,
  added: Added,
  after: string,
  ways: readonly (string | undefined)[],
  wanted: string | undefined,
): Edge[] {
  const taken = (way: string | undefined) =>
    edges.filter(({ source, sourceHandle }) => source === after && sourceHandle === way);
  const free = ways.filter((way) => !ASIDE.has(way) && taken(way).length === 0);
  const way = wanted ?? (free.length > 0 ? free[0] : ways[0]);
  const moved = taken(way);
  return [
    ...edges.filter((edge) => !moved.includes(edge)),
    edgeOf(after, added.id, way),
    ...onwardsOf(
      added,
      moved.map(({ target }) => target),
    ),
  ];
}

export function spotOf(definition: Definition, chosen: string | undefined): Spot {
  const node = nodeOf(definition, chosen);
  if (node !== undefined && isLoop(node.type) && !definition.nodes.some(({ parentId }) => parentId === node.id)) {
    return { inside: node.id };
  }
  if (chosen === TRIGGER_ID || node !== undefined) return { after: chosen as string };
  const tops = new Set(definition.nodes.filter(({ parentId }) => parentId === undefined).map(({ id }) => id));
  const last = walkingOrder(definition)
    .filter((id) => tops.has(id) && waysOut(definition, id).length > 0)
    .at(-1);
  return { after: last ?? TRIGGER_ID };
}

/**
 * Returns the id for a renamed node; undefined if the user chose its id, or the name yields none. `before`: the old
 * name.
 */
export function idOfName(definition: Definition, node: Node, before: string | undefined): string | undefined {
  const wish = keyOf(node.name ?? '');
  if (wish === undefined) return undefined;
  const made = [wishOf(node), keyOf(before ?? '')].filter((one) => one !== undefined);
  const isMade = made.some((one) => node.id.startsWith(one) && /^\d*$/.test(node.id.slice(one.length)));
  if (!isMade) return undefined;
  const others = definition.nodes.filter(({ id }) => id !== node.id);
  return freeId({ ...definition, nodes: others }, wish);
}

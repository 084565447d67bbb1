import type { Edge, MarkerType, Node } from '@xyflow/react';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import { type Definition, isLoop, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { handlesOf } from '../../../../domain/workflow/handles.ts';
import type { Place, Point } from '../../../ui/graph/graphShape.ts';
import type { Way } from '../../../ui/graph/WayEdge.tsx';
import type { AnyStatus } from '../../../ui/Status.tsx';
import { WORDS } from '../../../ui/words/words.ts';
import { walkingOrder } from '../model/graphChanges.ts';
import { kindOfNode, labelOf } from '../model/inputSpecs.ts';
import type { PlacedProblem } from '../model/placedProblems.ts';
import type { GraphPlaces } from '../model/places.ts';
import type { StepStates } from '../run/RunPane.tsx';
import { EDITOR } from '../words.ts';
import type { IconKind } from './NodeIcon.tsx';

const words = EDITOR;

interface Data {
  type: IconKind;
  label: string;
  kind: string;
  icon: string | undefined;
  /** Names of the outgoing ways, '' for the plain one. */
  ways: readonly string[];
  /** Named ways without an edge. An edge shows the name of its way. */
  open: readonly string[];
  isVertical: boolean;
  isLoop: boolean;
  hasSample: boolean;
  /** In the shown run; null: it has not begun. Undefined without a run. */
  status: AnyStatus | null | undefined;
}

type Shown = Data & { problems: number } & Record<string, unknown>;

export type FlowNode = Node<Shown, 'step'>;

interface NodeMaking {
  definition: Definition;
  graph: GraphPlaces;
  moving: ReadonlyMap<string, Point>;
  chosen: readonly string[];
  problems: readonly PlacedProblem[];
  apps: readonly AppManifest[];
  samples: Readonly<Record<string, unknown>>;
  states: StepStates | undefined;
  isVertical: boolean;
  isReadOnly: boolean;
}

/** Makes nodes for React Flow. An unchanged node stays the same object, so it is not rendered again. */
export class FlowNodes {
  #made = new Map<string, { key: string; node: FlowNode }>();
  #all: FlowNode[] = [];

  make(making: NodeMaking): FlowNode[] {
    const { definition, chosen, problems, graph, moving } = making;
    const counts = new Map<string | undefined, number>();
    for (const { node } of problems) counts.set(node, (counts.get(node) ?? 0) + 1);
    const picked = new Set(chosen);
    const taken = new Set(definition.edges.map(({ source, sourceHandle }) => wayOf(source, sourceHandle)));
    const byId = new Map(definition.nodes.map((node) => [node.id, node]));
    const made = new Map<string, { key: string; node: FlowNode }>();
    for (const id of [TRIGGER_ID, ...walkingOrder(definition)]) {
      const place = { ...(graph.places.get(id) ?? NOWHERE), ...moving.get(id) };
      const node = byId.get(id);
      const data = node === undefined ? triggerData(making) : nodeData(node, making, taken);
      const problemCount = counts.get(id) ?? 0;
      const isPicked = picked.has(id);
      const key = [
        ...Object.values(data),
        ...Object.values(place),
        node?.parentId,
        problemCount,
        isPicked,
        making.isReadOnly,
      ].join('\n');
      const before = this.#made.get(id);
      made.set(
        id,
        before?.key === key
          ? before
          : {
              key,
              node: flowNode(
                id,
                { ...data, problems: problemCount },
                place,
                node?.parentId,
                isPicked,
                making.isReadOnly,
              ),
            },
      );
    }
    this.#made = made;
    this.#all = sameOr(
      this.#all,
      [...made.values()].map(({ node }) => node),
    );
    return this.#all;
  }
}

const NOWHERE: Place = { x: 0, y: 0, width: 0, height: 0 };

const wayOf = (source: string, handle = '') => `${source}\n${handle}`;

function triggerData({ definition, isVertical, samples }: NodeMaking): Data {
  const kind = words.trigger.types[definition.trigger.type];
  return {
    ...{ type: 'trigger', label: words.graph.trigger, kind, icon: undefined },
    ...{ ways: [''], open: [], isVertical, isLoop: false, hasSample: Object.hasOwn(samples, TRIGGER_ID) },
    status: undefined,
  };
}

function nodeData(
  node: Definition['nodes'][number],
  { apps, isVertical, samples, states }: NodeMaking,
  taken: ReadonlySet<string>,
): Data {
  const app = apps.find(({ appId }) => appId === node.appId);
  const action = app?.actions.find(({ actionId }) => actionId === node.actionId);
  const ways = handlesOf(node).map((handle) => handle ?? '');
  return {
    type: node.type,
    label: labelOf(node),
    kind: kindOfNode(node, apps),
    icon: action?.icon ?? app?.icon,
    ways,
    open: ways.filter((way) => way !== '' && !taken.has(wayOf(node.id, way))),
    isVertical,
    isLoop: isLoop(node.type),
    hasSample: Object.hasOwn(samples, node.id),
    status: states === undefined ? undefined : (states.get(node.id) ?? null),
  };
}

function flowNode(
  id: string,
  data: Shown,
  { x, y, width, height }: Place,
  parentId: string | undefined,
  selected: boolean,
  isReadOnly: boolean,
): FlowNode {
  const state = data.status == null ? '' : `, ${WORDS.status[data.status]}`;
  const problems = data.problems === 0 ? '' : `, ${words.graph.problems(data.problems)}`;
  return {
    ...{ id, data, selected, width, height, type: 'step', position: { x, y } },
    ...(parentId === undefined ? {} : { parentId }),
    ariaLabel: `${data.label}: ${data.kind}${state}${problems}${data.hasSample ? `, ${words.graph.hasSample}` : ''}`,
    draggable: !isReadOnly && id !== TRIGGER_ID,
  };
}

interface EdgeMaking {
  definition: Definition;
  graph: GraphPlaces;
  /** While nodes are dragged, edges follow as plain curves. */
  isMoving: boolean;
  chosen: readonly string[];
}

/** Makes edges for React Flow, as laid out or as plain curves. An unchanged edge stays the same object. */
export class FlowEdges {
  #made = new Map<string, { key: string; edge: Edge }>();
  #all: Edge[] = [];

  make({ definition, graph, isMoving, chosen }: EdgeMaking): Edge[] {
    const { places, ways, edges } = graph;
    const byId = new Map(definition.nodes.map((node) => [node.id, node]));
    const nameOf = (id: string) => {
      const node = byId.get(id);
      return node === undefined ? EDITOR.graph.trigger : labelOf(node);
    };
    const originOf = (id: string | undefined, depth = 0): Point => {
      if (id === undefined || depth > 10) return { x: 0, y: 0 };
      const { x, y } = places.get(id) ?? NOWHERE;
      const outer = originOf(byId.get(id)?.parentId, depth + 1);
      return { x: x + outer.x, y: y + outer.y };
    };
    const picked = new Set(chosen);
    const made = new Map<string, { key: string; edge: Edge }>();
    for (const edge of edges) {
      const origin = originOf(byId.get(edge.source)?.parentId);
      const way = isMoving ? undefined : ways.get(edge.id);
      const points = way?.map(({ x, y }) => ({ x: x + origin.x, y: y + origin.y }));
      const label = `${nameOf(edge.source)} → ${nameOf(edge.target)}`;
      const key = JSON.stringify([edge, label, points, picked.has(edge.id)]);
      const before = this.#made.get(edge.id);
      made.set(
        edge.id,
        before?.key === key ? before : { key, edge: flowEdge(edge, label, points, picked.has(edge.id)) },
      );
    }
    this.#made = made;
    this.#all = sameOr(
      this.#all,
      [...made.values()].map(({ edge }) => edge),
    );
    return this.#all;
  }
}

function flowEdge(
  { id, source, target, sourceHandle }: Definition['edges'][number],
  ariaLabel: string,
  points: Point[] | undefined,
  isChosen: boolean,
): Edge {
  // The implied edge from the trigger is not in the definition, so it cannot be deleted.
  const isOwn = id !== `${TRIGGER_ID} ${target}`;
  const common = {
    ...{ id, source, target, sourceHandle: sourceHandle ?? '', ariaLabel, deletable: isOwn, focusable: isOwn },
    ...(sourceHandle === undefined ? {} : { label: sourceHandle }),
    markerEnd: { type: 'arrowclosed' as MarkerType },
    ...(isChosen ? { selected: true } : {}),
  };
  if (points === undefined) return { ...common, type: 'default' };
  const data: Way = { points };
  return { ...common, type: 'way', data };
}

/** Returns the previous list if it has the same items in the same order, to avoid rendering. */
function sameOr<Item>(before: Item[], now: Item[]): Item[] {
  const isSame = before.length === now.length && now.every((item, index) => item === before[index]);
  return isSame ? before : now;
}

export function isWithin(element: Element, frame: Element): boolean {
  const [inner, outer] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  );
}

export function nodeIdOf(element: EventTarget): string | undefined {
  if (!(element instanceof Element) || !element.classList.contains('react-flow__node')) return undefined;
  return element.getAttribute('data-id') ?? undefined;
}

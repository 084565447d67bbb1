import type { Node } from '@xyflow/react';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import { type Definition, isLoop, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { handlesOf } from '../../../../domain/workflow/handles.ts';
import type { Place, Point } from '../../../ui/graph/graphShape.ts';
import { walkingOrder } from '../model/graphChanges.ts';
import { kindOfNode, labelOf } from '../model/inputSpecs.ts';
import type { GraphPlaces } from '../model/places.ts';
import type { PlacedProblem } from '../model/problemPlace.ts';
import { EDITOR } from '../words/editor.ts';
import type { IconKind } from './NodeIcon.tsx';
import { sameOr } from './sameOr.ts';

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
}

type Shown = Data & { problems: number } & Record<string, unknown>;

export type FlowNode = Node<Shown>;

interface Making {
  definition: Definition;
  graph: GraphPlaces;
  moving: ReadonlyMap<string, Point>;
  chosen: readonly string[];
  problems: readonly PlacedProblem[];
  apps: readonly AppManifest[];
  samples: Readonly<Record<string, unknown>>;
  isVertical: boolean;
  isReadOnly: boolean;
}

/** Makes nodes for React Flow. An unchanged node stays the same object, so it is not rendered again. */
export class FlowNodes {
  #made = new Map<string, { key: string; node: FlowNode }>();
  #all: FlowNode[] = [];

  make(making: Making): FlowNode[] {
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

export const NOWHERE: Place = { x: 0, y: 0, width: 0, height: 0 };

const wayOf = (source: string, handle = '') => `${source}\n${handle}`;

function triggerData({ definition, isVertical, samples }: Making): Data {
  const kind = words.trigger.types[definition.trigger.type];
  return {
    ...{ type: 'trigger', label: words.graph.trigger, kind, icon: undefined },
    ...{ ways: [''], open: [], isVertical, isLoop: false, hasSample: Object.hasOwn(samples, TRIGGER_ID) },
  };
}

function nodeData(
  node: Definition['nodes'][number],
  { apps, isVertical, samples }: Making,
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
  const problems = data.problems === 0 ? '' : `, ${words.graph.problems(data.problems)}`;
  return {
    ...{ id, data, selected, width, height, type: 'step', position: { x, y } },
    ...(parentId === undefined ? {} : { parentId }),
    ariaLabel: `${data.label}: ${data.kind}${problems}${data.hasSample ? `, ${words.graph.hasSample}` : ''}`,
    draggable: !isReadOnly && id !== TRIGGER_ID,
  };
}

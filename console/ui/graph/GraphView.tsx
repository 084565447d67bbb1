import '@xyflow/react/dist/base.css';
import './graph.css';
import { useMediaQuery } from '@mantine/hooks';
import { Background, Controls, type Edge, Handle, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react';
import { memo, use, useMemo } from 'react';
import { NARROW } from '../narrow.ts';
import { type AnyStatus, Status, toneOf } from '../Status.tsx';
import { WORDS } from '../words/words.ts';
import { isPlaced, type LaidEdge, type Point, placedNodes } from './graphShape.ts';
import { loadLayout } from './loadLayout.ts';
import { beginLegibly, WayEdge } from './WayEdge.tsx';

export const TRIGGER = 'trigger';

export interface GraphNode {
  id: string;
  name?: string | undefined;
  parentId?: string | undefined;
  /** The position from the editor, relative to its loop. */
  position?: Point | undefined;
}

export interface GraphEdge extends LaidEdge {
  sourceHandle?: string | undefined;
}

export interface NodeFace {
  /** Absent if the graph has no states; null: the node has no state yet. */
  status?: AnyStatus | null | undefined;
  note?: string | undefined;
}

interface Shown extends NodeFace, Record<string, unknown> {
  label: string;
  isVertical: boolean;
  isLoop: boolean;
  isFirst: boolean;
}

interface GraphViewProps {
  label: string;
  begin: string;
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  isVertical: boolean;
  faceOf: (nodeId: string) => NodeFace;
  /** Whether the edge is drawn solid; by default, all are. */
  isTaken?: (edge: GraphEdge) => boolean;
  chosen?: string | undefined;
  /** The node to show first if the graph is too large to be legible as a whole. */
  first?: string | undefined;
  onChoose?: (nodeId: string) => void;
}

/** Its information must also be elsewhere on the page as text. */
export function GraphView(props: GraphViewProps) {
  const { label, begin, nodes, edges, faceOf, isTaken = () => true, chosen, first, onChoose } = props;
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const wholeEdges = useMemo(() => withBegin(nodes, edges), [nodes, edges]);
  const layOut = isPlaced(nodes) ? undefined : use(loadLayout());
  // On a narrow screen a chain of nodes is legible only from top to bottom.
  const isVertical = props.isVertical || (isNarrow && layOut !== undefined);
  const { places, ways } = useMemo(() => {
    if (layOut === undefined) return { places: placedNodes(nodes, TRIGGER, isVertical), ways: NO_WAYS };
    const all = [{ id: TRIGGER }, ...nodes.map(({ id, parentId }) => ({ id, parentId }))];
    return layOut(all, wholeEdges, isVertical);
  }, [nodes, wholeEdges, isVertical, layOut]);
  const loops = new Set(nodes.map(({ parentId }) => parentId));
  const flowNodes: Node<Shown>[] = [
    { id: TRIGGER, name: begin, parentId: undefined },
    ...nodes.map(({ id, name, parentId }) => ({ id, name: name ?? id, parentId })),
  ].map(({ id, name, parentId }) => {
    const { x, y, width, height } = places.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
    const face = faceOf(id);
    return {
      ...{ id, type: 'step', position: { x, y }, width, height },
      data: { ...face, label: name, isVertical, isLoop: loops.has(id), isFirst: id === TRIGGER },
      ...(parentId === undefined ? {} : { parentId }),
      selected: chosen === id,
      selectable: onChoose !== undefined,
      ariaLabel: aloud(name, id === TRIGGER ? { ...face, status: undefined } : face),
      draggable: false,
      connectable: false,
    };
  });
  // React Flow requires that a loop precedes its children.
  const depth = (id: string | undefined): number =>
    id === undefined ? 0 : 1 + depth(nodes.find((node) => node.id === id)?.parentId);
  flowNodes.sort((a, b) => depth(a.parentId) - depth(b.parentId));
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  const originOf = (id: string | undefined): Point => {
    const { x, y } = id === undefined ? { x: 0, y: 0 } : (places.get(id) ?? { x: 0, y: 0 });
    const above = id === undefined ? undefined : parents.get(id);
    const origin = above === undefined ? { x: 0, y: 0 } : originOf(above);
    return { x: x + origin.x, y: y + origin.y };
  };
  const flowEdges: Edge[] = wholeEdges.map((edge) => {
    const { id, source, target, sourceHandle } = edge;
    const origin = originOf(parents.get(source));
    const points = ways.get(id)?.map(({ x, y }) => ({ x: x + origin.x, y: y + origin.y }));
    return {
      ...{ id, source, target, focusable: false },
      ...(points === undefined ? { type: 'default' } : { type: 'way', data: { points } }),
      ...(sourceHandle === undefined ? {} : { label: sourceHandle }),
      style: isTaken(edge) ? { strokeWidth: 2 } : { strokeDasharray: '4 4' },
    };
  });
  return (
    <section className="graph" aria-label={label}>
      <ReactFlow
        nodes={flowNodes}
        edges={flowEdges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        fitView
        fitViewOptions={WHOLE}
        minZoom={0.1}
        onInit={(flow) => {
          if (first !== undefined) void beginLegibly(flow, WHOLE, first, FITTED);
        }}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        // Only selections by pointer and keyboard arrive here, not those of the page.
        onNodesChange={(changes) => {
          for (const change of changes) if (change.type === 'select' && change.selected) onChoose?.(change.id);
        }}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}

function aloud(name: string, { status, note }: NodeFace): string {
  const state = status === undefined ? note : status === null ? WORDS.notYet : WORDS.status[status];
  return state === undefined ? name : `${name}: ${state}`;
}

const StepNode = memo(function StepNode({ data }: NodeProps<Node<Shown>>) {
  const { label, status, note, isVertical, isLoop, isFirst } = data;
  return (
    <div
      className={isLoop ? 'graph-node graph-loop' : 'graph-node'}
      data-tone={status === undefined ? undefined : status === null ? 'none' : toneOf(status)}
    >
      {!isFirst && <Handle type="target" position={isVertical ? Position.Top : Position.Left} />}
      <span className="graph-name">{label}</span>
      {(status != null || note !== undefined) && (
        <span className="graph-note">
          {status != null && <Status status={status} />} {note}
        </span>
      )}
      <Handle type="source" position={isVertical ? Position.Bottom : Position.Right} />
    </div>
  );
});

const WHOLE = { maxZoom: 1, padding: 0.1 };
/** The smallest zoom at which the whole graph is shown first: colours still show its states. */
const FITTED = 0.25;
const NODE_TYPES = { step: StepNode };
const EDGE_TYPES = { way: WayEdge };
const NO_WAYS: ReadonlyMap<string, readonly Point[]> = new Map();

/** Adds edges from the trigger to the first nodes, which definitions may omit. */
function withBegin(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): GraphEdge[] {
  const targets = new Set(edges.map(({ target }) => target));
  const first = nodes.filter(({ id, parentId }) => parentId === undefined && !targets.has(id));
  return [...first.map(({ id }) => ({ id: `${TRIGGER} ${id}`, source: TRIGGER, target: id })), ...edges];
}

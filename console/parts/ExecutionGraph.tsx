import '@xyflow/react/dist/base.css';
import { Background, Controls, type Edge, Handle, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { ExecutionStep, ExecutionWhole } from '../data/executions.ts';
import { WORDS } from '../words/en.ts';
import { graphLayout, type Point } from './graphLayout.ts';
import { type AnyStatus, Status, toneOf } from './Status.tsx';
import { type Way, WayEdge } from './WayEdge.tsx';

const words = WORDS.execution;
const TRIGGER = 'trigger';

interface Shown extends Record<string, unknown> {
  label: string;
  status: AnyStatus | undefined;
  note: string | undefined;
  isVertical: boolean;
  isLoop: boolean;
  isFirst: boolean;
}

interface ExecutionGraphProps {
  execution: ExecutionWhole;
  steps: ExecutionStep[];
  chosen: ExecutionStep | undefined;
  onChoose: (stepId: string) => void;
}

/** The definition as a graph, each node with the state of its newest step. The list of steps says all of it in words. */
export function ExecutionGraph({ execution, steps, chosen, onChoose }: ExecutionGraphProps) {
  const { nodes = [], edges = [], orientation } = execution;
  const isVertical = orientation === 'vertical';
  const newest = useMemo(() => new Map(steps.map((step) => [step.nodeId, step])), [steps]);
  const wholeEdges = useMemo(() => withBegin(nodes, edges), [nodes, edges]);
  const { places, ways } = useMemo(() => {
    const all = [{ id: TRIGGER }, ...nodes.map(({ id, parentId }) => ({ id, parentId }))];
    return graphLayout(all, wholeEdges, isVertical);
  }, [nodes, wholeEdges, isVertical]);
  const loops = new Set(nodes.map(({ parentId }) => parentId));
  const shown = (id: string, label: string, isLoop: boolean): Shown => {
    const step = newest.get(id);
    const counts = step?.iterations;
    const note = counts === undefined ? undefined : words.loop(counts.completed, counts.failed, counts.total);
    return { label, note, isLoop, isVertical, isFirst: id === TRIGGER, status: step?.status };
  };
  const flowNodes: Node<Shown>[] = [
    { id: TRIGGER, label: execution.triggerType ?? TRIGGER, parentId: undefined },
    ...nodes.map(({ id, name, parentId }) => ({ id, label: name ?? id, parentId })),
  ].map(({ id, label, parentId }) => {
    const { x, y, width, height } = places.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
    const data = shown(id, label, loops.has(id));
    const state = data.status === undefined ? words.notYet : WORDS.status[data.status];
    return {
      ...{ id, data, type: 'step', position: { x, y }, width, height },
      ...(parentId === undefined ? {} : { parentId }),
      selected: chosen?.nodeId === id,
      ariaLabel: id === TRIGGER ? label : `${label}: ${state}`,
      draggable: false,
      connectable: false,
    };
  });
  // A loop stands before what is in it.
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
  const flowEdges: Edge<Way>[] = wholeEdges.map(({ id, source, target, sourceHandle }) => {
    const origin = originOf(parents.get(source));
    const points = (ways.get(id) ?? []).map(({ x, y }) => ({ x: x + origin.x, y: y + origin.y }));
    return {
      ...{ id, source, target, type: 'way', data: { points }, focusable: false },
      ...(sourceHandle === undefined ? {} : { label: sourceHandle }),
      style:
        newest.has(target) && (source === TRIGGER || newest.has(source))
          ? { strokeWidth: 2 }
          : { strokeDasharray: '4 4' },
    };
  });
  return (
    <section className="graph" aria-label={words.graphLabel}>
      <ReactFlow
        nodes={flowNodes}
        edges={flowEdges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.1 }}
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        // By pointer and by keyboard: what the page itself chooses is no change.
        onNodesChange={(changes) => {
          for (const change of changes) {
            const step = change.type === 'select' && change.selected ? newest.get(change.id) : undefined;
            if (step !== undefined) onChoose(step.id);
          }
        }}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}

const StepNode = memo(function StepNode({ data }: NodeProps<Node<Shown>>) {
  const { label, status, note, isVertical, isLoop, isFirst } = data;
  return (
    <div
      className={isLoop ? 'graph-node graph-loop' : 'graph-node'}
      data-tone={status === undefined ? 'none' : toneOf(status)}
    >
      {!isFirst && <Handle type="target" position={isVertical ? Position.Top : Position.Left} />}
      <span className="graph-name">{label}</span>
      {status !== undefined && (
        <span>
          <Status status={status} /> {note}
        </span>
      )}
      <Handle type="source" position={isVertical ? Position.Bottom : Position.Right} />
    </div>
  );
});

const NODE_TYPES = { step: StepNode };
const EDGE_TYPES = { way: WayEdge };

type Edges = NonNullable<ExecutionWhole['edges']>;

/** The trigger leads to the nodes at which the graph begins, whether the definition says so or not. */
function withBegin(nodes: NonNullable<ExecutionWhole['nodes']>, edges: Edges): Edges {
  const targets = new Set(edges.map(({ target }) => target));
  const first = nodes.filter(({ id, parentId }) => parentId === undefined && !targets.has(id));
  return [...first.map(({ id }) => ({ id: `${TRIGGER} ${id}`, source: TRIGGER, target: id })), ...edges];
}

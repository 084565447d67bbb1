import '@xyflow/react/dist/base.css';
import '../../../ui/graph/graph.css';
import {
  Background,
  type Connection,
  Controls,
  type Edge,
  type EdgeChange,
  type NodeChange,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import {
  type DragEvent,
  type ReactNode,
  use,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Definition, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { isPlaced, type Point } from '../../../ui/graph/graphShape.ts';
import { loadLayout } from '../../../ui/graph/loadLayout.ts';
import { beginLegibly } from '../../../ui/graph/WayEdge.tsx';
import { NARROW } from '../../../ui/narrow.ts';
import { failed } from '../../../ui/notices.tsx';
import { useEditing } from '../editing/Editing.tsx';
import { edgeProblem, withEdge, withoutEdges } from '../model/graphChanges.ts';
import { type GraphPlaces, placedGraph, placesOf, structureOf, withPlaces } from '../model/places.ts';
import { EDITOR } from '../words.ts';
import { edgeAt, FlowEdges, type FlowNode, FlowNodes, isWithin, nodeIdOf } from './flow.ts';
import { EDGE_TYPES, NODE_TYPES } from './flowParts.tsx';
import { DRAGGED } from './Palette.tsx';

const words = EDITOR.graph;

/** A drop position relative to the loop it is in, with all node positions at that time. */
export interface Drop extends Pick<GraphPlaces, 'places'> {
  /** The edge that the drop hit; the node goes between its ends. */
  on: Definition['edges'][number] | undefined;
  at: Point;
  inside: string | undefined;
}

export interface Shown {
  id: string;
  at: number;
  /** Zoom in until the node is readable, for example after a search. */
  isLegible: boolean;
}

interface EditorGraphProps {
  finder: ReactNode;
  chosen: readonly string[];
  /** The node to show and focus, for example after it was added. */
  shown: Shown | undefined;
  onOpen: (id: string) => void;
  onDropEntry: (key: string, drop: Drop) => void;
}

/** Edits the definition as a graph. The form and the code are its text alternatives. */
export function EditorGraph(props: EditorGraphProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ finder, chosen, shown, onOpen, onDropEntry }: EditorGraphProps) {
  const { draft, apps, problems, samples, isReadOnly, changeDefinition, choose } = useEditing();
  const { orientation } = draft;
  const isVertical = orientation === 'vertical';
  const flow = useReactFlow();
  const place = useRef<HTMLElement>(null);
  // Typing in forms moves no node: the layout is that of the last definition with the same structure. The graph renders
  // deferred, so that it does not delay typing.
  const written = draft.definition;
  const newest = useRef(written);
  newest.current = written;
  const structure = useMemo(() => structureOf(written), [written]);
  const drawn = useRef({ structure, definition: written });
  const last = useDeferredValue(written);
  if (drawn.current.structure !== structure) drawn.current = { structure, definition: written };
  const outline = drawn.current.definition;
  const definition = useMemo(() => structureOf(last) === structure, [last, structure]) ? last : written;
  const layOut = isPlaced(outline.nodes) ? undefined : use(loadLayout());
  const graph = useMemo(
    () => (layOut === undefined ? placedGraph(outline, isVertical) : placesOf(outline, isVertical, layOut)),
    [outline, isVertical, layOut],
  );
  /** Positions of nodes while they are dragged. */
  const [moving, setMoving] = useState<ReadonlyMap<string, Point>>(new Map());
  const [maker] = useState(() => new FlowNodes());
  const nodes = useMemo(
    () =>
      maker.make({
        definition,
        graph,
        moving,
        chosen,
        problems,
        apps,
        samples: samples.values,
        isVertical,
        isReadOnly,
      }),
    [maker, definition, graph, moving, chosen, problems, apps, samples.values, isVertical, isReadOnly],
  );
  const count = useRef(nodes.length);
  useEffect(() => {
    const hasCome = count.current === 1 && nodes.length > 2;
    count.current = nodes.length;
    if (!hasCome) return;
    // A draft or the code added nodes to a graph that had only the trigger.
    const frame = requestAnimationFrame(() => void flow.fitView(WHOLE));
    return () => cancelAnimationFrame(frame);
  }, [nodes.length, flow]);
  const [chosenEdges, setChosenEdges] = useState<readonly string[]>([]);
  const [edgeMaker] = useState(() => new FlowEdges());
  const isMoving = moving.size > 0;
  const edges = useMemo(
    () => edgeMaker.make({ definition, graph, isMoving, chosen: chosenEdges }),
    [edgeMaker, definition, graph, isMoving, chosenEdges],
  );
  /** Nodes selected by keyboard that stay selected while the focus moves on. */
  const [marked, setKept] = useState<readonly string[]>([]);
  const kept = useMemo(() => marked.filter((id) => chosen.includes(id)), [marked, chosen]);
  useEffect(() => {
    if (shown === undefined) return;
    // The node exists once this state is rendered.
    const frame = requestAnimationFrame(() => {
      const element = place.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(shown.id)}"]`);
      element?.focus({ preventScroll: true });
      const least = shown.isLegible ? LEGIBLE : 0;
      const isSeen = element != null && place.current !== null && isWithin(element, place.current);
      if (isSeen && flow.getZoom() >= least) return;
      // Show the preceding node as well, for orientation.
      const before = newest.current.edges.find(({ target }) => target === shown.id)?.source;
      const nodes = [shown.id, ...(before === undefined ? [] : [before])].map((id) => ({ id }));
      const zoom = Math.max(least, flow.getZoom());
      void flow.fitView({ nodes, maxZoom: Math.min(1, zoom), minZoom: zoom });
    });
    return () => cancelAnimationFrame(frame);
  }, [shown, flow]);

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const picked = new Set(chosen);
      const places = new Map<string, Point>();
      let isOver = false;
      for (const change of changes) {
        if (change.type === 'select') {
          if (change.selected) picked.add(change.id);
          else picked.delete(change.id);
        }
        if (change.type === 'position' && change.position !== undefined && change.id !== TRIGGER_ID) {
          places.set(change.id, change.position);
          isOver ||= change.dragging !== true;
        }
      }
      if (changes.some(({ type }) => type === 'select')) choose([...picked]);
      if (places.size === 0 || isReadOnly) return;
      if (!isOver) return setMoving(places);
      setMoving(new Map());
      changeDefinition((now) => withPlaces(now, graph.places, places), 'move');
    },
    [chosen, choose, isReadOnly, changeDefinition, graph],
  );
  // Stable callbacks, because React Flow re-renders every node when one changes.
  const onConnect = useCallback(
    ({ source, target, sourceHandle }: Connection) => {
      const handle = sourceHandle || undefined;
      const problem = edgeProblem(newest.current, source, target, handle);
      if (problem !== undefined) return failed(new Error(words.noEdge[problem]));
      changeDefinition((now) => withEdge(now, source, target, handle));
    },
    [changeDefinition],
  );
  const isValidConnection = useCallback(
    ({ source, target, sourceHandle }: Connection | Edge) =>
      edgeProblem(newest.current, source, target, sourceHandle || undefined) === undefined,
    [],
  );
  const onEdgesChange = useCallback((changes: EdgeChange[]) => {
    setChosenEdges((before) => {
      const picked = new Set(before);
      for (const change of changes) {
        if (change.type !== 'select') continue;
        if (change.selected) picked.add(change.id);
        else picked.delete(change.id);
      }
      return [...picked];
    });
  }, []);
  const onPaneClick = useCallback(() => choose([]), [choose]);
  const removeEdges = (gone: readonly Edge[]) => {
    setChosenEdges([]);
    changeDefinition((now) =>
      withoutEdges(
        now,
        gone.map(({ id }) => id),
      ),
    );
  };
  const onDrop = (event: DragEvent) => {
    const key = event.dataTransfer.getData(DRAGGED);
    if (key === '') return;
    event.preventDefault();
    const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const loops = flow
      .getIntersectingNodes({ ...at, width: 1, height: 1 })
      .filter(({ data }) => data.isLoop === true)
      .sort((a, b) => (a.width ?? 0) - (b.width ?? 0));
    const [inner] = loops;
    const origin =
      inner === undefined ? { x: 0, y: 0 } : (flow.getInternalNode(inner.id)?.internals.positionAbsolute ?? at);
    const on = edgeAt(event, graph.edges);
    onDropEntry(key, { at: { x: at.x - origin.x, y: at.y - origin.y }, on, inside: inner?.id, places: graph.places });
  };
  return (
    <section
      ref={place}
      className="editor-canvas"
      aria-label={words.label}
      onDragOver={(event) => {
        if (!isReadOnly && event.dataTransfer.types.includes(DRAGGED)) event.preventDefault();
      }}
      onDrop={onDrop}
      onKeyDownCapture={(event) => {
        const id = nodeIdOf(event.target);
        const { key, ctrlKey, metaKey, altKey } = event;
        if (id === undefined || ctrlKey || metaKey || altKey || !['Enter', 'x'].includes(key)) return;
        event.preventDefault();
        event.stopPropagation();
        if (key === 'Enter') return onOpen(id);
        const others = kept.filter((one) => one !== id);
        const isKept = others.length < kept.length;
        setKept(isKept ? others : [...kept, id]);
        choose(isKept ? others : [...new Set([...kept, id])]);
      }}
      onFocusCapture={({ target }) => {
        // Moving to a node by Tab shows its form.
        const id = nodeIdOf(target);
        if (id !== undefined && target.matches(':focus-visible') && !chosen.includes(id)) choose([...kept, id]);
      }}
    >
      {finder}
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        fitView
        fitViewOptions={WHOLE}
        onInit={beginOnPhone}
        minZoom={0.1}
        maxZoom={1.5}
        nodesDraggable={!isReadOnly}
        nodesConnectable={!isReadOnly}
        deleteKeyCode={null}
        multiSelectionKeyCode={SEVERAL}
        onlyRenderVisibleElements={nodes.length > 300}
        onNodesChange={onNodesChange}
        onConnect={onConnect}
        isValidConnection={isValidConnection}
        onEdgesChange={onEdgesChange}
        onKeyDown={({ key }) => {
          const gone = edges.filter(({ id, deletable }) => chosenEdges.includes(id) && deletable !== false);
          if ((key === 'Delete' || key === 'Backspace') && gone.length > 0 && !isReadOnly) removeEdges(gone);
        }}
        onPaneClick={onPaneClick}
        proOptions={NO_ATTRIBUTION}
        ariaLabelConfig={NO_DESCRIPTIONS}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
      {definition.nodes.length === 0 && <p className="editor-empty">{words.empty}</p>}
    </section>
  );
}

/** The smallest zoom at which nodes are readable. */
const LEGIBLE = 0.75;
const WHOLE = { maxZoom: 1, padding: 0.1 };
const beginOnPhone = (at: ReactFlowInstance<FlowNode, Edge>) => {
  if (window.matchMedia(NARROW).matches) void beginLegibly(at, WHOLE, TRIGGER_ID);
};
const NO_ATTRIBUTION = { hideAttribution: true };
const NO_DESCRIPTIONS = { 'node.a11yDescription.default': '', 'edge.a11yDescription.default': '' };

/** Modifier keys that add clicked nodes to the selection. */
const SEVERAL = ['Shift', 'Meta', 'Control'];

import '@xyflow/react/dist/base.css';
import '../../../ui/graph/graph.css';
import { IconNote } from '@tabler/icons-react';
import {
  Background,
  type Connection,
  ControlButton,
  Controls,
  type Edge,
  type EdgeChange,
  MiniMap,
  type NodeChange,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { type DragEvent, type ReactNode, use, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { isPlaced, type Point } from '../../../ui/graph/graphShape.ts';
import { loadLayout } from '../../../ui/graph/loadLayout.ts';
import { beginLegibly } from '../../../ui/graph/WayEdge.tsx';
import { NARROW } from '../../../ui/narrow.ts';
import { failed } from '../../../ui/notices.tsx';
import { useEditing } from '../editing/Editing.tsx';
import { edgeProblem, withEdge, withoutEdges } from '../model/graphChanges.ts';
import { placedGraph, placesOf, structureOf, withPlaces } from '../model/places.ts';
import type { StepStates } from '../run/RunPane.tsx';
import { EDITOR } from '../words.ts';
import { type Drop, dropAt } from './drop.ts';
import { FlowEdges, type FlowNode, FlowNodes, nodeIdOf } from './flow.ts';
import { movesIn, pickedBy } from './flowChanges.ts';
import { EDGE_TYPES, NODE_TYPES } from './flowParts.tsx';
import { DRAGGED } from './Palette.tsx';
import { LEGIBLE, MIN_ZOOM, type Shown, useNodeInSight, WHOLE } from './useNodeInSight.ts';
import { type NoteNode, noteIdOf, useNotes } from './useNotes.ts';

const words = EDITOR.graph;

type AnyNode = FlowNode | NoteNode;

interface EditorGraphProps {
  finder: ReactNode;
  chosen: readonly string[];
  /** The node to show and focus, for example after it was added. */
  shown: Shown | undefined;
  /** States of the nodes' newest steps in the shown run. */
  states: StepStates | undefined;
  onNodeClick: () => void;
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

function Canvas({ finder, chosen, shown, states, onNodeClick, onOpen, onDropEntry }: EditorGraphProps) {
  const { draft, replaced, apps, problems, samples, isReadOnly, changeDefinition, choose } = useEditing();
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
        states,
        isVertical,
        isReadOnly,
      }),
    [maker, definition, graph, moving, chosen, problems, apps, samples.values, states, isVertical, isReadOnly],
  );
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
  useNodeInSight({ place, replaced, shown, chosen, edges: written.edges });
  const notes = useNotes(written.notes, isReadOnly, changeDefinition);
  const all = useMemo<AnyNode[]>(() => [...notes.nodes, ...nodes], [notes.nodes, nodes]);

  const changeNotes = notes.change;
  const onNodesChange = useCallback(
    (changes: NodeChange<AnyNode>[]) => {
      const isOfNote = (change: NodeChange<AnyNode>) => 'id' in change && noteIdOf(change.id) !== undefined;
      changeNotes(changes.filter(isOfNote) as NodeChange[]);
      const own = changes.filter((change) => !isOfNote(change)) as NodeChange[];
      const picked = pickedBy(own, chosen);
      if (picked !== chosen) choose(picked);
      const { places: moved, isOver } = movesIn(own);
      moved.delete(TRIGGER_ID);
      const places = moved as Map<string, Point>;
      if (places.size === 0 || isReadOnly) return;
      if (!isOver) return setMoving(places);
      setMoving(new Map());
      changeDefinition((now) => withPlaces(now, graph.places, places), 'move');
    },
    [chosen, choose, isReadOnly, changeDefinition, changeNotes, graph],
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
    setChosenEdges((before) => pickedBy(changes, before));
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
  const addNote = () => {
    const { left = 0, top = 0, width = 0, height = 0 } = place.current?.getBoundingClientRect() ?? {};
    const at = flow.screenToFlowPosition({ x: left + width / 2, y: top + height / 2 });
    const id = notes.add(at);
    if (flow.getZoom() < LEGIBLE) void flow.setCenter(at.x, at.y, { zoom: LEGIBLE });
    requestAnimationFrame(() => noteField(place.current, id)?.focus());
  };
  const onDrop = (event: DragEvent) => {
    const key = event.dataTransfer.getData(DRAGGED);
    if (key === '') return;
    event.preventDefault();
    onDropEntry(key, dropAt(event, flow, graph));
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
        if (noteIdOf(id) !== undefined) return (event.target as Element).querySelector('textarea')?.focus();
        if (key === 'Enter') return onOpen(id);
        const others = kept.filter((one) => one !== id);
        const isKept = others.length < kept.length;
        setKept(isKept ? others : [...kept, id]);
        choose(isKept ? others : [...new Set([...kept, id])]);
      }}
      onFocusCapture={({ target }) => {
        // Moving to a node by Tab shows its form.
        const id = nodeIdOf(target);
        if (id === undefined || noteIdOf(id) !== undefined || chosen.includes(id)) return;
        if (target.matches(':focus-visible')) choose([...kept, id]);
      }}
    >
      {finder}
      <ReactFlow
        nodes={all}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        fitView
        fitViewOptions={WHOLE}
        onInit={beginOnPhone}
        minZoom={MIN_ZOOM}
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
        onKeyDown={({ key, target }) => {
          if (target instanceof HTMLTextAreaElement) return;
          const gone = edges.filter(({ id, deletable }) => chosenEdges.includes(id) && deletable !== false);
          if ((key !== 'Delete' && key !== 'Backspace') || isReadOnly) return;
          if (gone.length > 0) removeEdges(gone);
          if (notes.chosen.length > 0) notes.remove(notes.chosen);
        }}
        onPaneClick={onPaneClick}
        onNodeClick={(_, { id }) => {
          if (noteIdOf(id) === undefined) onNodeClick();
        }}
        proOptions={NO_ATTRIBUTION}
        ariaLabelConfig={LABELS}
      >
        <Background />
        <Controls showInteractive={false}>
          {!isReadOnly && (
            <ControlButton aria-label={words.addNote} title={words.addNote} onClick={addNote}>
              <IconNote size={12} aria-hidden />
            </ControlButton>
          )}
        </Controls>
        {nodes.length > MANY && <MiniMap pannable zoomable ariaLabel={words.minimap} nodeColor={colourOf} />}
      </ReactFlow>
      {definition.nodes.length === 0 && <p className="editor-empty">{words.empty}</p>}
    </section>
  );
}

const noteField = (place: HTMLElement | null, id: string) =>
  place?.querySelector<HTMLElement>(`[data-id="note ${CSS.escape(id)}"] textarea`);

/** Graphs with this many nodes or more have an overview. The trigger is a node, too. */
const MANY = 20;
const beginOnPhone = (at: ReactFlowInstance<AnyNode, Edge>) => {
  if (window.matchMedia(NARROW).matches) void beginLegibly(at, WHOLE, TRIGGER_ID);
};
const NO_ATTRIBUTION = { hideAttribution: true };
const LABELS = {
  'node.a11yDescription.default': '',
  'edge.a11yDescription.default': '',
  'controls.fitView.ariaLabel': words.fit,
};
const colourOf = ({ data }: AnyNode) =>
  typeof data.problems === 'number' && data.problems > 0 ? 'var(--ink-bad)' : 'var(--ink-neutral)';

/** Modifier keys that add clicked nodes to the selection. */
const SEVERAL = ['Shift', 'Meta', 'Control'];

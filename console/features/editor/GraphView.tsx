import { type CSSProperties, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { TRIGGER_ID } from '../../../domain/workflow/definition.ts';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { useEditing } from './editing/Editing.tsx';
import { Palette } from './graph/Palette.tsx';
import type { GraphActions } from './graph/useGraphActions.ts';
import { nodeOf } from './model/graphChanges.ts';
import { labelOf } from './model/inputSpecs.ts';
import { type PaletteEntry, paletteOf } from './model/palette.ts';
import { Splitter } from './panels/Splitter.tsx';
import { type Panels, readPanels } from './panels/usePanels.ts';
import type { StepStates } from './run/RunPane.tsx';
import { EDITOR } from './words.ts';

const words = EDITOR.palette;
const EditorGraph = lazyPart(() => import('./graph/EditorGraph.tsx'), 'EditorGraph');
const EditorForm = lazyPart(() => import('./EditorForm.tsx'), 'EditorForm');

const NodeFinder = lazyPart(() => import('./graph/NodeFinder.tsx'), 'NodeFinder');

const RunPane = lazyPart(() => import('./run/RunPane.tsx'), 'RunPane');

/** Graphs with this many nodes or more have a search. */
const MANY = 8;

interface GraphViewProps {
  graph: GraphActions;
  panels: Panels;
  /** The execution of the draft that is shown below the graph. */
  run: string | undefined;
  onRunEnd: (executionId: string) => void;
  onRunClose: () => void;
}

export function GraphView({ graph, panels, run, onRunEnd, onRunClose }: GraphViewProps) {
  const { apps, draft, isReadOnly } = useEditing();
  const entries = useMemo(() => paletteOf(apps), [apps]);
  const { spot } = graph;
  const other = 'inside' in spot ? spot.inside : spot.after;
  const node = nodeOf(draft.definition, other);
  const where =
    other === TRIGGER_ID || node === undefined
      ? words.first
      : 'inside' in spot
        ? words.inside(labelOf(node))
        : words.after(labelOf(node), spot.way);
  // Stable callbacks, so that typing in the form does not render the palette again.
  const newest = useRef(graph);
  newest.current = graph;
  const add = useCallback((entry: PaletteEntry) => newest.current.add(entry), []);
  const leave = useCallback(() => newest.current.leaveForm(), []);
  const [states, setStates] = useState<StepStates>();
  const { isOpen } = panels;
  const [widths] = useState(() => {
    const { palette, form } = readPanels().widths;
    return { '--palette-width': `${palette}px`, '--form-width': `${form}px` } as CSSProperties;
  });
  return (
    <div className="editor" style={widths}>
      {!isReadOnly && isOpen.palette && (
        <>
          <Palette entries={entries} hint={words.hint(where)} search={graph.search} onAdd={add} onLeave={leave} />
          <Splitter panel="palette" />
        </>
      )}
      <div className="editor-middle">
        <Suspense fallback={<Loading height={420} />}>
          <EditorGraph
            finder={
              draft.definition.nodes.length < MANY ? null : (
                <Suspense fallback={null}>
                  <NodeFinder field={graph.finder} onFind={graph.reveal} />
                </Suspense>
              )
            }
            chosen={graph.chosen}
            shown={graph.shown}
            states={run === undefined ? undefined : states}
            onNodeClick={() => panels.show('form')}
            onOpen={(id) => {
              graph.choose([id]);
              graph.focusField('');
            }}
            onDropEntry={(key, drop) => {
              const entry = entries.find((one) => one.key === key);
              if (entry !== undefined) graph.addAt(entry, drop);
            }}
          />
        </Suspense>
        {run !== undefined && (
          <Suspense fallback={<Loading height={120} />}>
            <RunPane
              key={run}
              executionId={run}
              node={graph.chosen.length === 1 ? graph.chosen[0] : undefined}
              onStates={setStates}
              onEnd={onRunEnd}
              onShow={graph.reveal}
              onClose={onRunClose}
            />
          </Suspense>
        )}
      </div>
      {isOpen.form && (
        <>
          <Splitter panel="form" />
          <Suspense
            fallback={
              <div className="editor-form">
                <Loading height={420} />
              </div>
            }
          >
            <EditorForm
              chosen={graph.chosen}
              place={graph.form}
              onAdd={graph.addTo}
              formKey={graph.formKey}
              onDelete={graph.remove}
              onDuplicate={graph.duplicate}
              onCopy={() => void graph.copy()}
              onEnter={graph.fresh.enter}
              onLeave={graph.leaveForm}
            />
          </Suspense>
        </>
      )}
    </div>
  );
}

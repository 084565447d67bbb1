import { Tabs } from '@mantine/core';
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import type { AppManifest } from '../../../domain/app/manifest.ts';
import { useMay } from '../../app/api/me.ts';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { failed } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import type { Search } from '../../ui/search.ts';
import type { WrittenCode } from './code/CodeView.tsx';
import type { Baseline, SaveAct } from './draft/mutations.ts';
import { useDraft } from './draft/useDraft.ts';
import { SAVING, useStoring } from './draft/useStoring.ts';
import { EditorBar } from './EditorBar.tsx';
import { EditorHead } from './EditorHead.tsx';
import { EditorMessages } from './EditorMessages.tsx';
import { type EditorDialog, EditorOverlays } from './EditorOverlays.tsx';
import { EditingProvider } from './editing/Editing.tsx';
import type { StoredWorkflow } from './editing/queries.ts';
import { useNodeSamples } from './editing/useNodeSamples.ts';
import { useSample } from './expression/SampleField.tsx';
import { GraphView } from './GraphView.tsx';
import { useGraphActions } from './graph/useGraphActions.ts';
import type { CodeFormat } from './model/codeText.ts';
import { type Draft, draftChanges, isSameDraft } from './model/draft.ts';
import { isInCode } from './model/loadYaml.ts';
import type { PlacedProblem } from './model/placedProblems.ts';
import { tidied } from './model/places.ts';
import { withSamples } from './model/scopeOf.ts';
import { usePanels } from './panels/usePanels.ts';
import { ProblemList, useProblems } from './problems/ProblemList.tsx';
import { useRun } from './run/useRun.ts';
import { ChosenValues } from './samples/ChosenValues.tsx';
import { useEditorKeys } from './useEditorKeys.ts';
import { EDITOR } from './words.ts';
import './editor.css';

const words = EDITOR;
const loadCodeView = () => import('./code/CodeView.tsx');
const CodeView = lazyPart(loadCodeView, 'CodeView');
const UnreadNotice = lazyPart(() => import('./EditorNotices.tsx'), 'UnreadNotice');

interface EditorProps {
  /** Undefined for a new workflow. */
  stored: StoredWorkflow | undefined;
  initial: Draft;
  apps: readonly AppManifest[];
  onMade?: (workflowId: string) => void;
}

export function Editor({ stored, initial, apps, onMade }: EditorProps) {
  const {
    tab = 'graph',
    format = 'yaml',
    sample: sampleId,
    node: shownNode,
    run: shownRun,
  } = useSearch({ strict: false });
  const navigate = useNavigate();
  const may = useMay();
  const [isManaged, setIsManaged] = useState(stored?.managedByCode ?? false);
  const mayWrite = may('workflows:write');
  const isReadOnly = !mayWrite || isManaged;
  const editing = useDraft(initial, isReadOnly);
  const { draft, replaced, change, changeDefinition, changeNode } = editing;
  const set = useCallback(
    // On a phone, the form is below the fold: a click must not scroll away from it.
    (search: Search) =>
      void navigate({ to: '.', search: (now: Search) => ({ ...now, ...search }), replace: true, resetScroll: false }),
    [navigate],
  );
  const problems = useProblems(draft, apps, mayWrite);
  const panels = usePanels(stored === undefined || shownNode !== undefined);
  const graph = useGraphActions({
    ...{ editing, panels, isNew: stored === undefined, isReadOnly, first: shownNode },
    onNode: (node) => set({ node }),
  });
  const [dialog, setDialog] = useState<EditorDialog>();
  const storing = useStoring({
    ...{ stored, initial, apps, editing, isReadOnly },
    onStored: () => setDialog(undefined),
    onMade,
    onRefused: ({ node, field }) => graph.showField(node, field),
    onConflict: () => setDialog('conflict'),
  });
  const { baseline } = storing;
  const workflowId = baseline.id;
  const [code, setCode] = useState<WrittenCode>();
  /** The code cannot be parsed. The text is kept, and saving is refused rather than dropping it. */
  const isUnread = code?.problem !== undefined && code.definition === draft.definition;
  const isDirty = useMemo(
    () => !isReadOnly && (isUnread || !isSameDraft(draft, baseline.draft)),
    [isReadOnly, isUnread, draft, baseline],
  );
  useEffect(() => {
    // Loaded after everything that is visible at first. If this load fails, it is loaded again when shown.
    void loadCodeView().catch(() => undefined);
  }, []);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  const mayRead = may('executions:read');
  const { wanted, sample: execution, hasRun } = useSample(workflowId, sampleId, mayRead);
  const samples = useNodeSamples(workflowId, draft.definition);
  const sample = useMemo(() => withSamples(execution, samples.values), [execution, samples.values]);
  const compared = baseline.published ?? baseline.draft;
  const { differences, savedNodes } = useMemo(() => {
    const nodes = new Set(workflowId === undefined ? [] : baseline.draft.definition.nodes.map(({ id }) => id));
    const isSame = isReadOnly || isSameDraft(compared, draft);
    return { differences: isSame ? NO_CHANGES : draftChanges(compared, draft), savedNodes: nodes };
  }, [baseline, compared, draft, isReadOnly, workflowId]);
  const count = differences.changes.length + (differences.moved > 0 ? 1 : 0);
  const all = storing.refused === undefined ? problems.all : merged(problems.all, storing.refused);
  const { fresh } = graph;
  const spoken = useMemo(() => {
    const errors = all.filter(({ isWarning }) => !isWarning);
    return tab === 'graph' ? fresh.spoken(errors) : errors;
  }, [tab, fresh, all]);
  const [goal, setGoal] = useState<{ path: string }>();
  const takeValues = useCallback((executionId: string) => set({ sample: executionId }), [set]);
  const [problemAt, setProblemAt] = useState<number>();
  const toProblem = (index: number) => {
    const problem = all[index];
    if (problem === undefined) return;
    setProblemAt(index);
    fresh.end();
    if (tab === 'code' && isInCode(problem.path)) return setGoal({ path: problem.path });
    if (tab !== 'graph') set({ tab: 'graph' });
    graph.showField(problem.node, problem.field, problem.spot);
  };
  const store = (act: SaveAct) => {
    fresh.end();
    if (!isUnread) return void storing.store(act);
    SAVING.failed(new Error(words.code.unreadSave));
    set({ tab: 'code' });
  };
  const running = useRun({
    ...{ draft, baseline, isDirty, samples, shown: shownRun, input: sample?.trigger, store: storing.store },
    refuse: () => {
      const first = all.findIndex(({ isWarning }) => !isWarning);
      if (isUnread) store('save');
      else if (first >= 0) {
        toProblem(first);
        SAVING.failed(new Error(words.problems.mustFix));
      } else if (tab !== 'graph') set({ tab: 'graph' });
      return isUnread || first >= 0;
    },
  });
  const mayRun = may('executions:run') && may('executions:read');
  const switchView = () => set({ tab: tab === 'graph' ? 'code' : 'graph' });
  const tidy = () => changeDefinition(tidied);
  useEditorKeys({
    ...{ save: () => store('save'), tidy, switchView, undo: editing.undo, redo: editing.redo },
    run: () => mayRun && !isReadOnly && running.run(),
    ...{ add: graph.focusPalette, find: graph.focusFinder, duplicate: graph.duplicate, remove: graph.remove },
    nextProblem: () => toProblem(problemAt === undefined || problemAt + 1 >= all.length ? 0 : problemAt + 1),
  });
  const shared = useMemo(
    () => ({
      ...{ draft, replaced, workflowId, savedNodes, isReadOnly, apps, problems: spoken, sample, samples, hasRun },
      ...{
        change,
        changeDefinition,
        changeNode,
        choose: graph.choose,
        begin: fresh.begin,
        renameNode: graph.renameNode,
      },
    }),
    [
      draft,
      replaced,
      workflowId,
      savedNodes,
      isReadOnly,
      apps,
      spoken,
      sample,
      samples,
      hasRun,
      change,
      changeDefinition,
      changeNode,
      graph.choose,
      fresh.begin,
      graph.renameNode,
    ],
  );
  return (
    <EditingProvider value={shared}>
      <div className="editor-page">
        <Page
          title={workflowId === undefined ? words.titleNew : words.title(baseline.draft.name)}
          beside={
            <EditorBar
              {...{ isReadOnly, canUndo: editing.canUndo, canRedo: editing.canRedo, changes: count }}
              isSaving={storing.isSaving}
              isRunning={running.isStarting}
              state={stateOf(baseline)}
              onUndo={editing.undo}
              onRedo={editing.redo}
              onTidy={tidy}
              onPaste={tab === 'graph' ? () => void graph.pasteNow().catch(failed) : undefined}
              onChanges={() => setDialog('changes')}
              onSave={baseline.managedByCode ? undefined : () => store('save')}
              onPublish={() => store('publish')}
              onRun={mayRun && !baseline.managedByCode ? running.run : undefined}
              runs={!isDirty && may('executions:run') ? workflowId : undefined}
              onSettings={() => {
                if (tab !== 'graph') set({ tab: 'graph' });
                graph.showField(undefined, 'name');
              }}
            />
          }
        >
          <EditorMessages
            {...{ isManaged, storing }}
            mayEdit={isManaged && mayWrite}
            onEdit={() => setIsManaged(false)}
          />
          <Tabs
            className="editor-tabs"
            value={tab}
            onChange={(value) => set({ tab: value ?? 'graph' })}
            keepMounted={false}
          >
            <EditorHead panels={tab === 'graph' ? panels : undefined} isReadOnly={isReadOnly}>
              <ChosenValues
                workflowId={mayRead ? workflowId : undefined}
                {...{ wanted, samples, hasExecution: execution !== undefined }}
                onChange={(value) => set({ sample: value })}
              />
            </EditorHead>
            <Tabs.Panel value="graph" pt="sm">
              {isUnread && <UnreadNotice onShow={() => set({ tab: 'code' })} />}
              <GraphView
                {...{ graph, panels }}
                run={running.executionId}
                onRunEnd={takeValues}
                onRunClose={running.close}
              />
            </Tabs.Panel>
            <Tabs.Panel value="code" pt="sm">
              <Suspense fallback={<Loading height={420} />}>
                <CodeView
                  format={format as CodeFormat}
                  onFormat={(value) => set({ format: value })}
                  goal={goal}
                  written={code}
                  onWritten={setCode}
                />
              </Suspense>
            </Tabs.Panel>
          </Tabs>
          <ProblemList
            problems={{ ...problems, all }}
            isQuiet={spoken.length === 0}
            isCode={tab === 'code'}
            at={problemAt}
            onChoose={toProblem}
          />
        </Page>
      </div>
      <EditorOverlays
        {...{ dialog, differences, storing, running, blocker, isDirty, isUnread }}
        onClose={() => setDialog(undefined)}
      />
    </EditingProvider>
  );
}

const stateOf = ({ id, published, hasDraft }: Baseline) =>
  id !== undefined && published === undefined ? 'unpublished' : hasDraft ? 'draft' : undefined;

const NO_CHANGES = { changes: [], moved: 0 };

function merged(one: PlacedProblem[], other: PlacedProblem[]): PlacedProblem[] {
  const known = new Set(one.map(({ path, message }) => `${path}\n${message}`));
  return [...one, ...other.filter(({ path, message }) => !known.has(`${path}\n${message}`))];
}

import { Tabs } from '@mantine/core';
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import type { AppManifest } from '../../../domain/app/manifest.ts';
import { useMay } from '../../app/api/me.ts';
import { copyText } from '../../ui/CopyText.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { done, failed } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import type { Search } from '../../ui/search.ts';
import type { WrittenCode } from './code/CodeView.tsx';
import { SAVING, useDraft, useStoring } from './draft/useDraft.ts';
import { EditorBar } from './EditorBar.tsx';
import { EditorHead } from './EditorHead.tsx';
import { EditingProvider } from './editing/Editing.tsx';
import type { StoredWorkflow } from './editing/queries.ts';
import { useNodeSamples } from './editing/useNodeSamples.ts';
import { useSample } from './expression/SampleField.tsx';
import { GraphView } from './GraphView.tsx';
import { useGraphActions } from './graph/useGraphActions.ts';
import { type CodeFormat, codeOf, isInCode, loadYaml } from './model/codeText.ts';
import { type Draft, draftChanges, isSameDraft } from './model/draft.ts';
import type { PlacedProblem } from './model/placedProblems.ts';
import { tidied } from './model/places.ts';
import { withSamples } from './model/scopeOf.ts';
import { usePanels } from './panels/usePanels.ts';
import { ProblemList, useProblems } from './problems/ProblemList.tsx';
import { ChosenValues } from './samples/ChosenValues.tsx';
import { useEditorKeys } from './useEditorKeys.ts';
import { EDITOR } from './words.ts';
import './editor.css';

const words = EDITOR;
const loadDialogs = () => import('./EditorDialogs.tsx');
// Preloaded, so that they open even if the API is unreachable.
const ConflictDialog = lazy(async () => ({ default: (await loadDialogs()).ConflictDialog }));
const LeaveDialog = lazy(async () => ({ default: (await loadDialogs()).LeaveDialog }));
const DraftNotice = lazyPart(() => import('./EditorNotices.tsx'), 'DraftNotice');
const loadCodeView = () => import('./code/CodeView.tsx');
const CodeView = lazyPart(loadCodeView, 'CodeView');
const UnreadNotice = lazyPart(() => import('./EditorNotices.tsx'), 'UnreadNotice');
const ReadOnlyNotice = lazyPart(() => import('./EditorNotices.tsx'), 'ReadOnlyNotice');
const ChangesDialog = lazyPart(() => import('./draft/ChangesDialog.tsx'), 'ChangesDialog');

interface EditorProps {
  /** Undefined for a new workflow. */
  stored: StoredWorkflow | undefined;
  initial: Draft;
  apps: readonly AppManifest[];
  onMade?: (workflowId: string) => void;
}

export function Editor({ stored, initial, apps, onMade }: EditorProps) {
  const { tab = 'graph', format = 'yaml', sample: sampleId, node: shownNode } = useSearch({ strict: false });
  const navigate = useNavigate();
  const may = useMay();
  const [isManaged, setIsManaged] = useState(stored?.managedByCode ?? false);
  const mayWrite = may('workflows:write');
  const isReadOnly = !mayWrite || isManaged;
  const editing = useDraft(initial, isReadOnly);
  const { draft, change, changeDefinition, changeNode } = editing;
  const set = useCallback(
    (search: Search) => void navigate({ to: '.', search: (now: Search) => ({ ...now, ...search }), replace: true }),
    [navigate],
  );
  const problems = useProblems(draft, apps, mayWrite);
  const panels = usePanels(stored === undefined || shownNode !== undefined);
  const graph = useGraphActions({
    ...{ editing, panels, isNew: stored === undefined, isReadOnly, first: shownNode },
    onNode: (node) => set({ node }),
  });
  const [dialog, setDialog] = useState<'changes' | 'conflict'>();
  const { baseline, kept, ...storing } = useStoring({
    ...{ stored, initial, apps, editing, isReadOnly },
    onStored: () => setDialog(undefined),
    onMade,
    onRefused: ({ node, field }) => graph.showField(node, field),
    onConflict: () => setDialog('conflict'),
  });
  const workflowId = baseline.id;
  const [code, setCode] = useState<WrittenCode>();
  /** The code cannot be parsed. The text is kept, and saving is refused rather than dropping it. */
  const isUnread = code?.problem !== undefined && code.definition === draft.definition;
  const isDirty = useMemo(
    () => !isReadOnly && (isUnread || !isSameDraft(draft, baseline.draft)),
    [isReadOnly, isUnread, draft, baseline],
  );
  useEffect(() => {
    // The dialogs may be needed while the server is unreachable. If this load fails, they are loaded again when shown.
    if (isDirty) void loadDialogs().catch(() => undefined);
  }, [isDirty]);
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
  const { differences, savedNodes } = useMemo(() => {
    const nodes = new Set(workflowId === undefined ? [] : baseline.draft.definition.nodes.map(({ id }) => id));
    return { differences: isDirty ? draftChanges(baseline.draft, draft) : NO_CHANGES, savedNodes: nodes };
  }, [baseline, draft, isDirty, workflowId]);
  const count = differences.changes.length + (differences.moved > 0 ? 1 : 0);
  const all = storing.refused === undefined ? problems.all : merged(problems.all, storing.refused);
  const { fresh } = graph;
  const spoken = useMemo(() => {
    const errors = all.filter(({ isWarning }) => !isWarning);
    return tab === 'graph' ? fresh.spoken(errors) : errors;
  }, [tab, fresh, all]);
  const [goal, setGoal] = useState<{ path: string }>();
  const [problemAt, setProblemAt] = useState<number>();
  const toProblem = (index: number) => {
    const problem = all[index];
    if (problem === undefined) return;
    setProblemAt(index);
    fresh.end();
    if (tab === 'code' && isInCode(problem.path)) return setGoal({ path: problem.path });
    if (tab !== 'graph') set({ tab: 'graph' });
    graph.showField(problem.node, problem.field);
  };
  const copyYaml = async () => {
    const yaml = await loadYaml();
    await copyText(codeOf(yaml, draft.definition, 'yaml')).then(() => done(words.copied), failed);
  };
  const save = () => {
    fresh.end();
    if (!isUnread) return storing.save();
    SAVING.failed(new Error(words.code.unreadSave));
    set({ tab: 'code' });
  };
  const switchView = () => set({ tab: tab === 'graph' ? 'code' : 'graph' });
  const tidy = () => changeDefinition(tidied);
  useEditorKeys({
    ...{ save, tidy, switchView, undo: editing.undo, redo: editing.redo },
    ...{ add: graph.focusPalette, find: graph.focusFinder, duplicate: graph.duplicate, remove: graph.remove },
    nextProblem: () => toProblem(problemAt === undefined || problemAt + 1 >= all.length ? 0 : problemAt + 1),
  });
  const shared = useMemo(
    () => ({
      ...{ draft, workflowId, savedNodes, isReadOnly, apps, problems: spoken, sample, samples, hasRun },
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
              onUndo={editing.undo}
              onRedo={editing.redo}
              onTidy={tidy}
              onPaste={tab === 'graph' ? () => void graph.pasteNow().catch(failed) : undefined}
              onChanges={() => setDialog('changes')}
              onSave={save}
              runs={!isDirty && may('executions:run') ? workflowId : undefined}
              onSettings={() => {
                if (tab !== 'graph') set({ tab: 'graph' });
                graph.showField(undefined, 'name');
              }}
            />
          }
        >
          <Suspense fallback={null}>
            {isReadOnly && may('workflows:read') && (
              <ReadOnlyNotice
                isManaged={isManaged}
                mayEdit={isManaged && mayWrite}
                onCopy={() => void copyYaml()}
                onEdit={() => setIsManaged(false)}
              />
            )}
            {kept.found.length > 0 && !isReadOnly && (
              <DraftNotice
                drafts={kept.found}
                etag={baseline.etag}
                onRestore={(key) => void storing.restore(key).catch(failed)}
                onDiscard={kept.discard}
              />
            )}
          </Suspense>
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
              <GraphView graph={graph} panels={panels} />
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
      <Suspense fallback={null}>
        {dialog === 'changes' && <ChangesDialog {...differences} onClose={() => setDialog(undefined)} />}
        {dialog === 'conflict' && workflowId !== undefined && (
          <ConflictDialog
            {...{ workflowId, draft }}
            isBusy={storing.isSaving}
            onReload={async () => {
              if (await storing.takeTheirs()) setDialog(undefined);
            }}
            onOverwrite={storing.overwrite}
            onClose={() => setDialog(undefined)}
          />
        )}
        {blocker.status === 'blocked' && (
          <LeaveDialog isUnread={isUnread} onStay={blocker.reset} onLeave={blocker.proceed} />
        )}
      </Suspense>
    </EditingProvider>
  );
}

const NO_CHANGES = { changes: [], moved: 0 };

function merged(one: PlacedProblem[], other: PlacedProblem[]): PlacedProblem[] {
  const known = new Set(one.map(({ path, message }) => `${path}\n${message}`));
  return [...one, ...other.filter(({ path, message }) => !known.has(`${path}\n${message}`))];
}

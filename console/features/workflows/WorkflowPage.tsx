import { lazyPart } from '../../ui/load/lazyPart.ts';
import './workflows.css';
import { Button, Group, List, Tabs } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, Suspense, useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { UnreadyPage } from '../../app/pages/UnreadyPage.tsx';
import { usePageKeys } from '../../ui/keys/pageKeys.ts';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { WORDS } from '../../ui/words/words.ts';
import { pauseOrResume } from './mutations.ts';
import {
  workflow as readWorkflow,
  refreshWorkflows,
  type WorkflowRead,
  type WorkflowWhole,
} from './queries/workflows.ts';
import { WorkflowExecutions } from './WorkflowExecutions.tsx';
import { WorkflowFacts } from './WorkflowFacts.tsx';
import { WorkflowTrigger } from './WorkflowTrigger.tsx';
import { WORKFLOWS } from './words.ts';

type Search = SearchOf<'/frame/workflows/$workflowId'>;

const words = WORKFLOWS;
const DefinitionGraph = lazyPart(() => import('./DefinitionGraph.tsx'), 'DefinitionGraph');
const WorkflowSettings = lazyPart(() => import('./WorkflowSettings.tsx'), 'WorkflowSettings');
const WorkflowVersions = lazyPart(() => import('./WorkflowVersions.tsx'), 'WorkflowVersions');
const WorkflowTests = lazyPart(() => import('./WorkflowTests.tsx'), 'WorkflowTests');
const RunDialog = lazyPart(() => import('./RunDialog.tsx'), 'RunDialog');

const AGAIN_MS = 15_000;

type Tab = keyof typeof words.tabs;

const OF_EXECUTIONS: ReadonlySet<Tab> = new Set<Tab>(['executions', 'tests']);

export function Workflow() {
  const { workflowId } = useParams({ from: '/frame/workflows/$workflowId' });
  const search = useSearch({ from: '/frame/workflows/$workflowId' });
  const navigate = useNavigate();
  const may = useMay();
  const query = useQuery({ ...readWorkflow(workflowId), refetchInterval: AGAIN_MS });
  const [isPausing, setIsPausing] = useState(false);
  const isPublished = query.data !== undefined && query.data.workflow.version !== null;
  const [mayWrite, mayRun] = [may('workflows:write'), may('executions:run') && isPublished];
  const set = (change: Search) =>
    navigate({ to: `/workflows/${workflowId}`, search: { ...search, ...change }, replace: true });
  // In the address, because the editor links to it, too.
  const run = () => void set({ run: 'yes' });
  usePageKeys([
    ...(mayRun ? [{ key: 'r', does: words.run, act: run }] : []),
    ...(mayWrite
      ? [
          { key: 'e', does: words.edit, act: () => void navigate({ to: `/workflows/${workflowId}/edit` }) },
          ...(isPublished ? [{ key: 'p', does: words.pauseKey, act: () => setIsPausing(true) }] : []),
        ]
      : []),
  ]);
  if (query.data === undefined) {
    return <UnreadyPage title={words.one} query={query} missing={words.notFound} list="/workflows" />;
  }
  const { workflow } = query.data;
  const tabs = tabsOf(query.data, search, set);
  const shown = (Object.keys(words.tabs) as Tab[]).filter((each) => may('executions:read') || !OF_EXECUTIONS.has(each));
  const tab = shown.find((each) => each === search.tab) ?? shown[0] ?? null;
  return (
    <Page
      title={workflow.name}
      beside={
        <Group gap="xs">
          {mayRun && <Button onClick={run}>{words.run}</Button>}
          {mayWrite && (
            <>
              {/* A link, so that people can open it in another tab, with the role of a button for its shortcuts. */}
              <Button
                variant="default"
                renderRoot={(props) => (
                  <Link
                    to="/workflows/$workflowId/edit"
                    params={{ workflowId }}
                    role="button"
                    onKeyDown={pressBySpace}
                    {...props}
                  />
                )}
              >
                {words.edit}
              </Button>
              {isPublished && (
                <Button variant="default" onClick={() => setIsPausing(true)}>
                  {workflow.paused === true ? words.resume : words.pause}
                </Button>
              )}
            </>
          )}
        </Group>
      }
    >
      <WorkflowFacts workflow={workflow} />
      {query.error !== null && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      <Drawing workflow={workflow} />
      <Tabs value={tab} onChange={(value) => void set({ tab: value ?? undefined })} keepMounted={false} mt="md">
        <Tabs.List>
          {shown.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {words.tabs[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map((each) => (
          <Tabs.Panel key={each} value={each} pt="sm">
            <Suspense fallback={<Loading />}>{tabs[each]}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Suspense fallback={null}>
        {search.run !== undefined && mayRun && (
          <RunDialog workflow={workflow} onClose={() => set({ run: undefined })} />
        )}
      </Suspense>
      {isPausing && <PauseDialog workflow={workflow} onClose={() => setIsPausing(false)} />}
    </Page>
  );
}

/** Links do not react to the space key as buttons do. */
function pressBySpace(event: KeyboardEvent<HTMLAnchorElement>): void {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}

function tabsOf(read: WorkflowRead, search: Search, onChange: (change: Search) => void): Record<Tab, ReactNode> {
  const place = { search, onChange };
  return {
    executions: <WorkflowExecutions workflowId={read.workflow.id} {...place} />,
    versions: <WorkflowVersions {...read} {...place} />,
    triggers: <WorkflowTrigger workflow={read.workflow} />,
    tests: <WorkflowTests workflow={read.workflow} />,
    settings: <WorkflowSettings {...read} />,
  };
}

/** Shows nothing if no version is published, or if the definition is too large for one answer (see its versions). */
function Drawing({ workflow: { triggerNode, nodes, edges, orientation } }: { workflow: WorkflowWhole }) {
  if (triggerNode == null || nodes === undefined || edges === undefined) return null;
  return (
    <div className="graph-short">
      <Suspense fallback={<Loading height={300} />}>
        <DefinitionGraph definition={{ triggerNode, nodes, edges }} isVertical={orientation === 'vertical'} />
      </Suspense>
    </div>
  );
}

function PauseDialog({ workflow, onClose }: { workflow: WorkflowWhole; onClose: () => void }) {
  const queries = useQueryClient();
  const isPaused = workflow.paused === true;
  const change = async () => {
    const held = await pauseOrResume(workflow.id, isPaused ? 'resume' : 'pause');
    done(isPaused ? words.isResumed(held) : words.isPaused);
    refreshWorkflows(queries);
  };
  return (
    <ActDialog
      title={isPaused ? words.resumeTitle : words.pauseTitle}
      means={isPaused && words.resumeMeans(workflow.heldExecutions ?? 0)}
      button={isPaused ? words.resume : words.pause}
      dismiss={WORDS.executions.dismiss}
      onAct={change}
      onClose={onClose}
    >
      {!isPaused && (
        <List>
          {words.pauseMeans.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
    </ActDialog>
  );
}

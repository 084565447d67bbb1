import { Grid, Tabs, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { isTerminal } from '../../../domain/execution/status.ts';
import { useMay } from '../../app/api/me.ts';
import { UnreadyPage } from '../../app/pages/UnreadyPage.tsx';
import { copyText } from '../../ui/CopyText.tsx';
import { usePageKeys } from '../../ui/keys/pageKeys.ts';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { done, failed } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { Listing } from '../../ui/table/Listing.tsx';
import { ExecutionActs, type ExecutionDialog } from './ExecutionActs.tsx';
import { ExecutionFacts, ExecutionState } from './ExecutionFacts.tsx';
import { ExecutionQuestions } from './ExecutionQuestions.tsx';
import { ExecutionTable } from './ExecutionTable.tsx';
import { isUnacknowledged } from './mutations.ts';
import { type ExecutionStep, executionPages } from './queries/executions.ts';
import { neighbourOf } from './queries/neighbours.ts';
import { oneStep, useExecution } from './queries/steps.ts';
import { StepDetails } from './StepDetails.tsx';
import { StepList } from './StepList.tsx';
import { EXECUTION } from './words.ts';

const words = EXECUTION;
const ExecutionGraph = lazyPart(() => import('./ExecutionGraph.tsx'), 'ExecutionGraph');
const RawExecution = lazyPart(() => import('./RawExecution.tsx'), 'RawExecution');
const RetryDialog = lazyPart(() => import('./RetryDialog.tsx'), 'RetryDialog');
const AcknowledgeDialog = lazyPart(() => import('./AcknowledgeDialog.tsx'), 'AcknowledgeDialog');
const StopDialog = lazyPart(() => import('./StopDialog.tsx'), 'StopDialog');

const Timeline = lazyPart(() => import('./timeline/Timeline.tsx'), 'Timeline');

export function Execution() {
  const { executionId } = useParams({ from: '/frame/executions/$executionId' });
  const { tab = 'graph', step: stepId, pane } = useSearch({ from: '/frame/executions/$executionId' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const may = useMay();
  const query = useExecution(executionId);
  const [dialog, setDialog] = useState<ExecutionDialog>();
  const { data } = query;
  const isInPath = stepId === undefined || data?.executionPath?.some(({ id }) => id === stepId) === true;
  const elsewhere = useQuery({ ...oneStep(executionId, stepId ?? ''), enabled: data !== undefined && !isInPath });
  const steps = data?.executionPath ?? [];
  const set = (change: SearchOf<'/frame/executions/$executionId'>) =>
    void navigate({
      to: `/executions/${executionId}`,
      search: { tab, step: stepId, pane, ...change },
      replace: true,
    });
  const chosen =
    steps.find(({ id }) => id === stepId) ??
    elsewhere.data ??
    steps.find(({ status, awaitedApproval }) => status === 'FAILED' || awaitedApproval !== undefined) ??
    steps.at(-1);
  const choose = (id: string) => set({ step: id, pane: undefined });
  const isOpen = data?.status === undefined || !isTerminal(data.status);
  const isOfSteps = tab !== 'children';
  const mayRun = may('executions:run');
  const on = (isPossible: boolean, opened: ExecutionDialog) =>
    mayRun && isPossible ? () => setDialog(opened) : undefined;
  const onAcknowledge = on(isUnacknowledged(data), 'acknowledge');
  const copyLink = () => void copyText(location.href).then(() => done(words.linkCopied), failed);
  useExecutionKeys({
    ...{ steps, chosen, choose, set },
    onRetry: on(data !== undefined && !isOpen, 'retry'),
    onAcknowledge,
    onCompare: () => void navigate({ to: `/executions/${executionId}/compare` }),
    onCopyLink: copyLink,
    onRaw: () => setDialog('raw'),
    onNeighbour: (by) => {
      const id = neighbourOf(queries, executionId, by);
      if (id !== undefined) void navigate({ to: `/executions/${id}`, search: { tab } });
    },
  });
  if (data === undefined) {
    return <UnreadyPage title={words.step0} query={query} missing={words.notFound} list="/executions" />;
  }
  return (
    <Page
      title={words.title(data.executionNumber ?? 0, data.name ?? '')}
      beside={
        <ExecutionActs
          executionId={executionId}
          isOpen={isOpen}
          mayRun={mayRun}
          mayAcknowledge={onAcknowledge !== undefined}
          onDialog={setDialog}
          onCopyLink={copyLink}
        />
      }
    >
      <ExecutionState execution={data} />
      <ExecutionFacts execution={data} />
      <ExecutionQuestions key={executionId} executionId={executionId} execution={data} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: isOfSteps ? 7 : 12 }}>
          <Tabs value={tab} onChange={(value) => set({ tab: value ?? 'graph' })} keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="graph">{words.tabs.graph}</Tabs.Tab>
              <Tabs.Tab value="timeline">{words.tabs.timeline}</Tabs.Tab>
              <Tabs.Tab value="steps">{words.tabs.steps}</Tabs.Tab>
              <Tabs.Tab value="children">{words.tabs.children}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="graph" pt="sm">
              <Suspense fallback={<Loading height={420} />}>
                <ExecutionGraph
                  execution={data}
                  steps={steps}
                  chosen={chosen}
                  picked={stepId}
                  onChoose={choose}
                  onNewest={() => set({ step: undefined, pane: undefined })}
                />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="timeline" pt="sm">
              <Suspense fallback={<Loading />}>
                <Timeline
                  key={executionId}
                  begun={data.startedAt}
                  steps={steps}
                  nodes={data.nodes}
                  chosen={chosen?.id}
                  onChoose={choose}
                />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="steps" pt="sm">
              <StepList execution={data} steps={steps} chosen={chosen?.id} onChoose={choose} />
            </Tabs.Panel>
            <Tabs.Panel value="children" pt="sm">
              <ExecutionChildren executionId={executionId} />
            </Tabs.Panel>
          </Tabs>
          {isOfSteps && data.stepsLeftOut !== undefined && <Text size="sm">{words.leftOut(data.stepsLeftOut)}</Text>}
        </Grid.Col>
        {isOfSteps && (
          <Grid.Col span={{ base: 12, lg: 5 }}>
            {chosen === undefined ? (
              <Text>{words.noSteps}</Text>
            ) : (
              <StepDetails
                executionId={executionId}
                workflow={data.workflow}
                step={chosen}
                pane={pane}
                onPane={(value) => set({ pane: value })}
              />
            )}
          </Grid.Col>
        )}
      </Grid>
      <Suspense fallback={null}>
        {dialog === 'raw' && (
          <RawExecution
            executionId={executionId}
            number={data.executionNumber ?? 0}
            onClose={() => setDialog(undefined)}
          />
        )}
        {dialog === 'retry' && <RetryDialog execution={data} steps={steps} onClose={() => setDialog(undefined)} />}
        {dialog === 'acknowledge' && <AcknowledgeDialog execution={data} onClose={() => setDialog(undefined)} />}
        {(dialog === 'cancel' || dialog === 'terminate') && (
          <StopDialog kind={dialog} execution={data} onClose={() => setDialog(undefined)} />
        )}
      </Suspense>
    </Page>
  );
}

function ExecutionChildren({ executionId }: { executionId: string }) {
  const pages = useInfiniteQuery(executionPages(`parentExecutionId:${executionId}`));
  return (
    <Listing pages={pages} empty={EXECUTION.noChildren}>
      <ExecutionTable rows={pages.data?.pages.flatMap(({ rows }) => rows) ?? []} />
    </Listing>
  );
}

const TABS = ['graph', 'timeline', 'steps', 'children'] as const;
const PANES = ['input', 'output', 'error', 'attempts', 'console'] as const;
/** `t` for attempts, because another pane has the letter a. */
const PANE_KEYS = { input: 'i', output: 'o', error: 'e', attempts: 't', console: 'c' } as const;

interface ExecutionKeys {
  steps: readonly ExecutionStep[];
  chosen: ExecutionStep | undefined;
  choose: (stepId: string) => void;
  set: (change: SearchOf<'/frame/executions/$executionId'>) => void;
  onRetry: (() => void) | undefined;
  onAcknowledge: (() => void) | undefined;
  onCompare: () => void;
  onCopyLink: () => void;
  onRaw: () => void;
  onNeighbour: (by: 1 | -1) => void;
}

function useExecutionKeys({ steps, chosen, choose, set, ...on }: ExecutionKeys): void {
  const at = steps.findIndex(({ id }) => id === chosen?.id);
  const go = (by: 1 | -1, isWanted: (step: ExecutionStep) => boolean) => () => {
    for (let index = at + by; index >= 0 && index < steps.length; index += by) {
      const step = steps[index];
      if (step !== undefined && isWanted(step)) return choose(step.id);
    }
  };
  const hasFailed = ({ status }: ExecutionStep) => status === 'FAILED';
  usePageKeys([
    ...(on.onRetry === undefined ? [] : [{ key: 'r', does: words.retry, act: on.onRetry }]),
    ...(on.onAcknowledge === undefined ? [] : [{ key: 'a', does: words.acknowledge, act: on.onAcknowledge }]),
    ...TABS.map((tab, index) => ({
      key: String(index + 1),
      does: words.key.tab(words.tabs[tab]),
      act: () => set({ tab }),
    })),
    { key: 'j', does: words.key.next, act: go(1, () => true) },
    { key: 'k', does: words.key.previous, act: go(-1, () => true) },
    { key: 'n', does: words.key.nextFailed, act: go(1, hasFailed) },
    { key: 'p', does: words.key.previousFailed, act: go(-1, hasFailed) },
    ...PANES.map((pane) => ({
      key: PANE_KEYS[pane],
      does: words.key.pane(words.panes[pane]),
      act: () => set({ pane }),
    })),
    { key: '[', does: words.key.previousExecution, act: () => on.onNeighbour(-1) },
    { key: ']', does: words.key.nextExecution, act: () => on.onNeighbour(1) },
    { key: 'd', does: words.compare, act: on.onCompare },
    { key: 'y', does: words.key.copyLink, act: on.onCopyLink },
    { key: 'v', does: words.raw.title, act: on.onRaw },
  ]);
}

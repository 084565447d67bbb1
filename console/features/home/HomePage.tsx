import { lazyPart } from '../../ui/load/lazyPart.ts';
import './home.css';
import { Anchor, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { EXECUTION_STATUSES, isTerminal } from '../../../domain/execution/status.ts';
import { ME, useMay } from '../../app/api/me.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Status } from '../../ui/Status.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { useMinute } from '../../ui/time/clock.ts';
import { Moment } from '../../ui/time/Moment.tsx';
import { durationText } from '../../ui/time/times.ts';
import { WORDS } from '../../ui/words/words.ts';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { FailureGroups } from '../executions/FailureGroups.tsx';
import { FAILING, filterByOf } from '../executions/queries/executionFilter.ts';
import { executionCounts } from '../executions/queries/executions.ts';
import { countOf, openQuestions } from '../inbox/queries.ts';
import { OutcomeChart } from '../statistics/OutcomeChart.tsx';
import { totalOf } from '../statistics/outcomes.ts';
import { statistics } from '../statistics/queries.ts';
import { type WorkflowRow, workflowTriggers } from '../workflows/queries/workflows.ts';
import { openApprovals, queueCounts } from './queries.ts';
import { Section } from './Section.tsx';
import { HOME } from './words.ts';

const words = HOME;
const Slowest = lazyPart(() => import('./Slowest.tsx'), 'Slowest');
const FirstSteps = lazyPart(() => import('./FirstSteps.tsx'), 'FirstSteps');

/** Every number on the home page links to the list that it counts. */
export function Home() {
  const day = useQuery({ ...statistics({ bucket: 'hour', groupBy: 'workflow' }), refetchInterval: 60_000 });
  const may = useMay();
  const workflows = useQuery({ ...workflowTriggers(), enabled: may('workflows:read') });
  const isEmpty = workflows.data?.length === 0 && may('workflows:write');
  const last = day.data?.buckets.at(-1);
  const hasRun = day.data?.buckets.some((bucket) => totalOf(bucket) > 0) ?? false;
  return (
    <Page title={words.title}>
      <Stack>
        {isEmpty && (
          <Suspense fallback={null}>
            <FirstSteps />
          </Suspense>
        )}
        <div className="three">
          <NeedsYou />
          <Failing />
          <Running />
        </div>
        <div className="day">
          <Section title={words.day} reads={[day]}>
            {day.data !== undefined && !hasRun && <Text>{WORDS.chart.noneRan}</Text>}
            {day.data !== undefined && hasRun && (
              <OutcomeChart label={words.day} buckets={day.data.buckets} by="hour" />
            )}
            {last?.p50Ms != null && last.p95Ms != null && (
              <Text size="sm">{words.slow(durationText(last.p50Ms), durationText(last.p95Ms))}</Text>
            )}
          </Section>
          {day.data !== undefined && hasRun && (
            <Suspense fallback={null}>
              <Slowest day={day.data} />
            </Suspense>
          )}
        </div>
      </Stack>
    </Page>
  );
}

const SHOWN = 5;
const READ = 20;

function NeedsYou() {
  const may = useMay();
  const { isSuccess: isKnown } = useQuery(ME);
  const seesQuestions = may('executions:read');
  const questions = useQuery({ ...openQuestions('mine'), enabled: seesQuestions });
  const ofOthers = useQuery({ ...openQuestions('of others'), enabled: seesQuestions });
  const approvals = useQuery({ ...openApprovals, enabled: may('agents:use') });
  const queues = useQuery({ ...queueCounts, enabled: may('queues:write') });
  const { questions: asked, hasMore } = questions.data ?? { questions: [], hasMore: false };
  const others = ofOthers.data?.questions.length ?? 0;
  const waiting = approvals.data?.length ?? 0;
  const ready = (queues.data ?? []).flatMap(({ id, name, itemCounts }) =>
    itemCounts === undefined || itemCounts.PENDING === 0 ? [] : [{ id, name, count: itemCounts.PENDING }],
  );
  const reads = [questions, ofOthers, approvals, queues];
  const areRead = reads.every(({ error, isLoading }) => error === null && !isLoading);
  const isNothing = isKnown && areRead && asked.length + waiting + ready.length === 0;
  return (
    <Section title={words.needsYou} reads={reads}>
      {isNothing && <Text>{words.nothing}</Text>}
      {asked.slice(0, SHOWN).map((question) => (
        <div key={`${question.executionId} ${question.stepId}`}>
          <InboxLink search={{ question: `${question.executionId}/${question.stepId}` }}>
            {question.title ?? question.label}
          </InboxLink>
          <Text size="sm">
            <Anchor component={Link} to={`/executions/${question.executionId}`} underline="always" inherit>
              #{question.executionNumber}
            </Anchor>{' '}
            {question.executionName} · <Moment at={question.requestedAt} />
          </Text>
        </div>
      ))}
      {asked.length > SHOWN && <InboxLink>{words.andMore(countOf(asked.length - SHOWN, hasMore))}</InboxLink>}
      {waiting > 0 && <InboxLink>{words.approvals(countOf(waiting, waiting === READ))}</InboxLink>}
      {ready.slice(0, SHOWN).map(({ id, name, count }) => (
        <Anchor key={id} component={Link} to={`/queues/${id}`} underline="always">
          {words.items(count, name)}
        </Anchor>
      ))}
      {others > 0 && (
        <Text size="sm">
          <InboxLink>{words.ofOthers(others, countOf(others, ofOthers.data?.hasMore === true))}</InboxLink>
        </Text>
      )}
    </Section>
  );
}

function InboxLink({ search = {}, children }: { search?: SearchOf<'/frame/inbox'>; children: ReactNode }) {
  return (
    <Anchor renderRoot={(props) => <Link to="/inbox" search={search} {...props} />} underline="always">
      {children}
    </Anchor>
  );
}

const SPANS = WORDS.executions.spans;
const DAY = '24h';

function Failing() {
  const { since: wanted = DAY } = useSearch({ from: '/frame/' });
  const since = Object.hasOwn(SPANS, wanted) ? wanted : DAY;
  const may = useMay();
  const polls = useQuery({ ...workflowTriggers(), enabled: may('workflows:read') });
  const silent = (polls.data ?? []).filter(({ triggerStatus }) => triggerStatus?.lastError != null);
  return (
    <Section title={words.failing}>
      {/* The key drops the counts of the previous time span while the new ones load. */}
      <FailedWithin key={since} since={since} />
      <Group gap="sm">
        {Object.entries(SPANS).map(([each, text]) => (
          <Anchor
            key={each}
            renderRoot={(props) => (
              <Link
                to="/"
                search={each === DAY ? {} : { since: each }}
                replace
                activeOptions={{ exact: true }}
                {...props}
              />
            )}
            underline={each === since ? 'never' : 'always'}
            size="sm"
          >
            {WORDS.executions.showSpan(text)}
          </Anchor>
        ))}
      </Group>
      {silent.length > 0 && <FailingPolls rows={silent} />}
    </Section>
  );
}

function FailedWithin({ since }: { since: string }) {
  const filter = { ...FAILING, since };
  const filterBy = filterByOf(filter, useMinute());
  const byWorkflow = useQuery(statistics({ filterBy, groupBy: 'workflow' }));
  const byCode = useQuery(statistics({ filterBy, groupBy: 'errorCode' }));
  const all = byWorkflow.data?.buckets.reduce((sum, bucket) => sum + totalOf(bucket), 0);
  const error = byWorkflow.error ?? byCode.error;
  const span = SPANS[since] ?? since;
  return (
    <>
      {error !== null && <ProblemAlert error={error} isRead />}
      {byWorkflow.isLoading && <Loading height={60} />}
      {all === 0 && <Text>{words.noFailed(span)}</Text>}
      {all !== undefined && all > 0 && <ExecutionsLink search={filter}>{words.failed(all, span)}</ExecutionsLink>}
      <FailureGroups groups={byWorkflow.data?.groups ?? []} by="workflow" within={filter} />
      <FailureGroups groups={byCode.data?.groups ?? []} by="errorCode" within={filter} />
      {byWorkflow.data?.bounded === true && <Text size="sm">{words.bounded}</Text>}
    </>
  );
}

function FailingPolls({ rows }: { rows: readonly WorkflowRow[] }) {
  return (
    <>
      <Title order={3} size="h5">
        {words.polls}
      </Title>
      {rows.map(({ id, name, triggerStatus }) => (
        <Text key={id} size="sm">
          <Anchor component={Link} to={`/workflows/${id}`} underline="always">
            {name}
          </Anchor>{' '}
          <Code>{triggerStatus?.lastError?.code}</Code> {triggerStatus?.lastError?.message}{' '}
          <Moment at={triggerStatus?.lastPolledAt} />
        </Text>
      ))}
    </>
  );
}

const OPEN = EXECUTION_STATUSES.filter((status) => !isTerminal(status));
const NEXT = 3;

type Counts = Record<string, number> | undefined;
const sumOf = (counts: Counts) => Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);

function Running() {
  const may = useMay();
  const all = useQuery(executionCounts(''));
  const held = useQuery(executionCounts('held:true'));
  const retrying = useQuery(executionCounts('retrying:true'));
  const planned = useQuery({ ...workflowTriggers(), enabled: may('workflows:read') });
  const open = OPEN.map((status) => ({ status, count: all.data?.[status] ?? 0 })).filter(({ count }) => count > 0);
  const stuck = [
    { key: 'held', count: sumOf(held.data), what: words.held },
    { key: 'retrying', count: sumOf(retrying.data), what: words.retrying },
  ];
  const next = (planned.data ?? [])
    .flatMap(({ id, name, nextScheduledExecution: at }) => (at == null ? [] : [{ id, name, at }]))
    .toSorted((a, b) => a.at.localeCompare(b.at));
  return (
    <Section title={words.running} reads={[all, held, retrying]}>
      {all.data !== undefined && open.length === 0 && <Text>{words.noneOpen}</Text>}
      {open.map(({ status, count }) => (
        <div key={status}>
          <ExecutionsLink search={{ status }}>{count.toLocaleString('en')}</ExecutionsLink> <Status status={status} />
        </div>
      ))}
      {stuck
        .filter(({ count }) => count > 0)
        .map(({ key, count, what }) => (
          <Text key={key}>
            <ExecutionsLink search={{ [key]: 'true' }}>{count.toLocaleString('en')}</ExecutionsLink> {what}
          </Text>
        ))}
      {next.slice(0, NEXT).map(({ id, name, at }) => (
        <Text key={id} size="sm">
          {words.next}: {name} <Moment at={at} />
        </Text>
      ))}
    </Section>
  );
}

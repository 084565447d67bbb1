import { Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { SearchOf } from '../../ui/search.ts';
import { Listing } from '../../ui/table/Listing.tsx';
import { useMinute } from '../../ui/time/clock.ts';
import { WORDS } from '../../ui/words/words.ts';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { ExecutionChips, ExecutionTable, useShownRows } from '../executions/ExecutionTable.tsx';
import { FailureGroups } from '../executions/FailureGroups.tsx';
import { FAILING, filterByOf } from '../executions/queries/executionFilter.ts';
import { type ExecutionRow, executionCounts, executionPages } from '../executions/queries/executions.ts';
import { type Bucket, statistics } from '../statistics/queries.ts';
import { STATISTICS, WORKFLOWS } from './words.ts';
import '../statistics/dayStatistics.css';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { durationText } from '../../ui/time/times.ts';
import { OutcomeChart } from '../statistics/OutcomeChart.tsx';
import { dayFigures } from '../statistics/outcomes.ts';

type Search = SearchOf<'/frame/workflows/$workflowId'>;

const words = WORKFLOWS;

interface WorkflowExecutionsProps {
  workflowId: string;
  search: Search;
  onChange: (change: Search) => void;
}

export function WorkflowExecutions({ workflowId, search, onChange }: WorkflowExecutionsProps) {
  const minute = useMinute();
  const isOfDraft = search.draft === 'true';
  const own = { workflow: workflowId, status: search.status, draft: search.draft };
  const filterBy = filterByOf(own, minute);
  const pages = useInfiniteQuery(executionPages(filterBy));
  const counts = useQuery(executionCounts(filterByOf(own, minute, { withStatus: false })));
  const loaded = pages.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const { shown, fresh, showFresh } = useShownRows<ExecutionRow>(filterBy, loaded, pages.isPlaceholderData);
  return (
    <Stack gap="sm">
      {!isOfDraft && <DayStatistics workflowId={workflowId} />}
      {!isOfDraft && <WorkflowFailures workflowId={workflowId} />}
      <Group justify="space-between">
        <ExecutionChips counts={counts.data} status={search.status ?? ''} onChange={(status) => onChange({ status })} />
        <Group>
          <Switch
            label={words.testsOfDraft}
            checked={isOfDraft}
            onChange={({ currentTarget: { checked } }) =>
              onChange({ draft: checked ? 'true' : undefined, status: undefined })
            }
          />
          <ExecutionsLink search={own}>{words.allFilters}</ExecutionsLink>
        </Group>
      </Group>
      {fresh > 0 && (
        <Button variant="light" size="xs" onClick={showFresh}>
          {WORDS.executions.fresh(fresh)}
        </Button>
      )}
      <Listing
        pages={pages}
        empty={search.status ? WORDS.executions.noneMatch : isOfDraft ? words.noTestsYet : words.notRunYet}
      >
        <ExecutionTable rows={shown} />
      </Listing>
    </Stack>
  );
}

function WorkflowFailures({ workflowId }: { workflowId: string }) {
  const failed = { ...FAILING, workflow: workflowId, since: '7d' };
  const filterBy = filterByOf(failed, useMinute());
  const { data } = useQuery(statistics({ bucket: 'day', groupBy: 'errorCode', filterBy }));
  const groups = data?.groups ?? [];
  // Hidden instead of removed: an open dialog of the groups keeps its state.
  return (
    <section aria-label={WORKFLOWS.failures.label} hidden={groups.length === 0}>
      <Title order={2} size="h6" mb={4}>
        {WORKFLOWS.failures.label}
      </Title>
      <FailureGroups groups={groups} by="errorCode" within={failed} />
      {data?.bounded === true && <Text size="xs">{STATISTICS.bounded}</Text>}
    </section>
  );
}

const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function DayStatistics({ workflowId }: { workflowId: string }) {
  const query = useQuery(statistics({ bucket: 'day', filterBy: `workflowId:${workflowId}` }));
  if (query.data === undefined) {
    return query.error === null ? (
      <Loading height={100} />
    ) : (
      <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  const { buckets, bounded } = query.data;
  const { total, failedShare, longestMs, lastTimed } = dayFigures(buckets);
  if (total === 0) return <Text size="sm">{STATISTICS.none}</Text>;
  return (
    <section aria-label={STATISTICS.label}>
      <Group gap="md" mb={4}>
        <Text size="sm" fw={600}>
          {STATISTICS.total(total)}
        </Text>
        {failedShare !== undefined && (
          <Text size="sm">
            {STATISTICS.failedShare(failedShare.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 }))}
          </Text>
        )}
        {lastTimed !== undefined && <Text size="sm">{durationsOf(lastTimed)}</Text>}
      </Group>
      {bounded && <Text size="xs">{STATISTICS.bounded}</Text>}
      <div className="day-charts">
        <OutcomeChart label={STATISTICS.counts} buckets={buckets} by="day" filters={{ workflow: workflowId }} />
        <DurationChart buckets={buckets} longestMs={longestMs} />
      </div>
    </section>
  );
}

/** Example: `Nov 24: p50 20 ms, p95 900 ms`. */
function durationsOf({ start, p50Ms, p95Ms }: Bucket): string | undefined {
  if (p50Ms === null || p95Ms === null) return undefined;
  return STATISTICS.dayDurations(DAY.format(new Date(start)), durationText(p50Ms), durationText(p95Ms));
}

/** One bar per day, as high as the p95, with a dark part as high as the p50. Its label repeats the values as text. */
function DurationChart({ buckets, longestMs }: { buckets: readonly Bucket[]; longestMs: number }) {
  const aloud = buckets.map(durationsOf).filter((text) => text !== undefined);
  const height = (ms: number | null) => `${(100 * (ms ?? 0)) / longestMs}%`;
  return (
    <figure className="outcomes">
      <div className="outcomes-bars" role="img" aria-label={`${STATISTICS.durations}. ${aloud.join('. ')}`}>
        {buckets.map((bucket) => (
          <div key={bucket.start} className="duration-bar" title={durationsOf(bucket)} data-tone="run">
            <i className="slow" style={{ height: height(bucket.p95Ms) }} />
            <i style={{ height: height(bucket.p50Ms) }} />
          </div>
        ))}
      </div>
      <div className="outcomes-axis">
        <Text span size="xs">
          {STATISTICS.durations}
        </Text>
        <Text span size="xs">
          {STATISTICS.longest(durationText(longestMs))}
        </Text>
      </div>
    </figure>
  );
}

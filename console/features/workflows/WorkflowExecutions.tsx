import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { SearchOf } from '../../ui/search.ts';
import { Listing } from '../../ui/table/Listing.tsx';
import { useMinute } from '../../ui/time/clock.ts';
import { WORDS } from '../../ui/words/words.ts';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { ExecutionChips, ExecutionTable, useShownRows } from '../executions/ExecutionTable.tsx';
import { FailureGroups } from '../executions/FailureGroups.tsx';
import { filterByOf } from '../executions/queries/executionFilter.ts';
import { type ExecutionRow, executionCounts, executionPages } from '../executions/queries/executions.ts';
import { DayStatistics } from '../statistics/DayStatistics.tsx';
import { statistics } from '../statistics/queries.ts';
import { STATISTICS } from '../statistics/words.ts';
import { WORKFLOWS } from './words.ts';

type Search = SearchOf<'/frame/workflows/$workflowId'>;

const words = WORKFLOWS;

interface WorkflowExecutionsProps {
  workflowId: string;
  search: Search;
  onChange: (change: Search) => void;
}

export function WorkflowExecutions({ workflowId, search, onChange }: WorkflowExecutionsProps) {
  const minute = useMinute();
  const own = { workflow: workflowId, status: search.status };
  const filterBy = filterByOf(own, minute);
  const pages = useInfiniteQuery(executionPages(filterBy));
  const counts = useQuery(executionCounts(filterByOf(own, minute, { withStatus: false })));
  const loaded = pages.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const { shown, fresh, showFresh } = useShownRows<ExecutionRow>(filterBy, loaded, pages.isPlaceholderData);
  return (
    <Stack gap="sm">
      <DayStatistics workflowId={workflowId} />
      <WorkflowFailures workflowId={workflowId} />
      <Group justify="space-between">
        <ExecutionChips counts={counts.data} status={search.status ?? ''} onChange={(status) => onChange({ status })} />
        <ExecutionsLink search={own}>{words.allFilters}</ExecutionsLink>
      </Group>
      {fresh > 0 && (
        <Button variant="light" size="xs" onClick={showFresh}>
          {WORDS.executions.fresh(fresh)}
        </Button>
      )}
      <Listing pages={pages} empty={search.status ? WORDS.executions.noneMatch : words.notRunYet}>
        <ExecutionTable rows={shown} />
      </Listing>
    </Stack>
  );
}

function WorkflowFailures({ workflowId }: { workflowId: string }) {
  const failed = { workflow: workflowId, status: 'FAILED,TIMED_OUT', since: '7d' };
  const filterBy = filterByOf(failed, useMinute());
  const { data } = useQuery(statistics({ bucket: 'day', groupBy: 'errorCode', filterBy }));
  if (data === undefined || data.groups.length === 0) return null;
  return (
    <section aria-label={WORKFLOWS.failures.label}>
      <Title order={2} size="h6" mb={4}>
        {WORKFLOWS.failures.label}
      </Title>
      <FailureGroups groups={data.groups} by="errorCode" within={failed} />
      {data.bounded && <Text size="xs">{STATISTICS.bounded}</Text>}
    </section>
  );
}

import { Button, Group, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { SearchOf } from '../../ui/search.ts';
import { Listing } from '../../ui/table/Listing.tsx';
import { useMinute } from '../../ui/time/clock.ts';
import { WORDS } from '../../ui/words/words.ts';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { ExecutionChips, ExecutionTable, useShownRows } from '../executions/ExecutionTable.tsx';
import { filterByOf } from '../executions/queries/executionFilter.ts';
import { type ExecutionRow, executionCounts, executionPages } from '../executions/queries/executions.ts';
import { DayStatistics } from '../statistics/DayStatistics.tsx';
import { WorkflowFailures } from './WorkflowFailures.tsx';
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

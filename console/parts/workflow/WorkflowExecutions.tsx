import { Button, Group, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { filterByOf } from '../../data/executionFilter.ts';
import { type ExecutionRow, executionCounts, executionPages } from '../../data/executions.ts';
import { useMinute } from '../../live/clock.ts';
import { useShown } from '../../live/shown.ts';
import type { Search } from '../../search.ts';
import { WORKFLOWS } from '../../words/en/workflows.ts';
import { WORDS } from '../../words/en.ts';
import { ExecutionChips } from '../execution/ExecutionChips.tsx';
import { ExecutionsLink } from '../execution/ExecutionsLink.tsx';
import { ExecutionTable } from '../execution/ExecutionTable.tsx';
import { DayStatistics } from '../statistics/DayStatistics.tsx';
import { Listing } from '../table/Listing.tsx';
import { WorkflowFailures } from './WorkflowFailures.tsx';

const words = WORKFLOWS;

interface WorkflowExecutionsProps {
  workflowId: string;
  search: Search;
  onChange: (change: Search) => void;
}

/** What it did lately in figures, and its executions by state. */
export function WorkflowExecutions({ workflowId, search, onChange }: WorkflowExecutionsProps) {
  const minute = useMinute();
  const own = { workflow: workflowId, status: search.status };
  const filterBy = filterByOf(own, minute);
  const pages = useInfiniteQuery(executionPages(filterBy));
  const counts = useQuery(executionCounts(filterByOf(own, minute, { withStatus: false })));
  const loaded = pages.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const { shown, fresh, showFresh } = useShown<ExecutionRow>(filterBy, loaded, pages.isPlaceholderData);
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

import './workflows.css';
import { Button, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { TRIGGER_TYPES } from '../../../domain/workflow/definition.ts';
import { choices } from '../../app/api/choices.ts';
import { useMay } from '../../app/api/me.ts';
import { ClearFilters, isFiltered } from '../../app/lists/ClearFilters.tsx';
import { Filters } from '../../app/lists/Filters.tsx';
import { SavedViews } from '../../app/lists/SavedViews.tsx';
import { Page } from '../../ui/Page.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { SearchField } from '../../ui/table/SearchField.tsx';
import { useMinute } from '../../ui/time/clock.ts';
import { filterByOf } from '../executions/queries/executionFilter.ts';
import { statistics } from '../statistics/queries.ts';
import { workflowPages } from './queries/workflows.ts';
import { OUTCOME_DAYS, WorkflowTable } from './WorkflowTable.tsx';
import { WORKFLOWS } from './words.ts';
import { workflowFilterOf } from './workflowFilter.ts';

type Search = SearchOf<'/frame/workflows'>;

const words = WORKFLOWS;

const REFRESH_MS = 15_000;

export function Workflows() {
  const search = useSearch({ from: '/frame/workflows' });
  const navigate = useNavigate();
  const may = useMay();
  const minute = useMinute();
  const pages = useInfiniteQuery({ ...workflowPages(workflowFilterOf(search)), refetchInterval: REFRESH_MS });
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const project = search.project ? `,projectId:${search.project}` : '';
  const outcomes = useQuery({
    ...statistics({
      ...{ bucket: 'day', groupBy: 'workflow' },
      filterBy: filterByOf({ since: OUTCOME_DAYS }, minute) + project,
    }),
    enabled: may('executions:read'),
  });
  const set = (change: Search) => void navigate({ to: '/workflows', search: { ...search, ...change }, replace: true });
  return (
    <Page
      title={words.title}
      beside={
        may('workflows:write') && (
          <Button component={Link} to={'/workflows/new' as string}>
            {words.create}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <WorkflowFilters search={search} onChange={set} />
        <Listing pages={pages} empty={isFiltered(search) ? words.noneMatch : words.noneYet}>
          <WorkflowTable rows={rows} outcomes={outcomes.data} />
        </Listing>
      </Stack>
    </Page>
  );
}

function WorkflowFilters({ search, onChange }: { search: Search; onChange: (change: Search) => void }) {
  const may = useMay();
  const { data: projects = [] } = useQuery({ ...choices('listProjects'), enabled: may('projects:read') });
  return (
    <Filters
      label={words.filters}
      filters={{ ...search, q: undefined }}
      find={
        <SearchField
          label={words.search}
          placeholder={words.searchExample}
          value={search.q ?? ''}
          onFind={(q) => onChange({ q })}
        />
      }
    >
      <FilterSelect
        label={words.state}
        value={search.state}
        choices={Object.entries(words.states).map(([value, label]) => ({ value, label }))}
        onChoose={(state) => onChange({ state })}
      />
      {projects.length > 1 && (
        <FilterSelect
          label={words.project}
          maw={220}
          value={search.project}
          any={words.allProjects}
          choices={projects.map(({ id, name }) => ({ value: id, label: name ?? id }))}
          onChoose={(project) => onChange({ project })}
        />
      )}
      <FilterSelect
        label={words.trigger}
        value={search.trigger}
        any={words.allTriggers}
        choices={TRIGGER_TYPES.map((value) => ({ value, label: words.triggers[value] }))}
        onChoose={(trigger) => onChange({ trigger })}
      />
      <SavedViews list="workflows" filters={search} onChange={onChange} />
      <ClearFilters filters={search} onChange={onChange} />
    </Filters>
  );
}

import './workflows.css';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { TRIGGER_TYPES } from '../../../domain/workflow/definition.ts';
import { choices } from '../../app/api/choices.ts';
import { useMay } from '../../app/api/me.ts';
import { ClearFilters, Filters, isFiltered } from '../../app/lists/Filters.tsx';
import { SavedViews } from '../../app/lists/SavedViews.tsx';
import type { Tone } from '../../ui/Chip.tsx';
import { Page } from '../../ui/Page.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyList } from '../../ui/table/EmptyList.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { SearchField } from '../../ui/table/SearchField.tsx';
import { useMinute } from '../../ui/time/clock.ts';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { useCatalogueNames } from '../catalogue/catalogueNames.ts';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { filterByOf } from '../executions/queries/executionFilter.ts';
import { outcomeParts } from '../statistics/outcomes.ts';
import { type Statistics, statistics } from '../statistics/queries.ts';
import { nextStart, type WorkflowRow, workflowPages } from './queries/workflows.ts';
import { WorkflowState } from './WorkflowState.tsx';
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
          <Group gap="xs">
            <Button component={Link} to={'/templates' as string} variant="default" visibleFrom="sm">
              {words.templates}
            </Button>
            <Button component={Link} to={'/workflows/new' as string}>
              {words.create}
            </Button>
          </Group>
        )
      }
    >
      <Stack gap="sm">
        <WorkflowFilters search={search} onChange={set} />
        <Listing
          pages={pages}
          empty={
            isFiltered(search) ? (
              words.noneMatch
            ) : (
              <EmptyList means={words.noneYet}>
                {may('workflows:write') && (
                  <Button component={Link} to={'/workflows/new' as string}>
                    {words.first}
                  </Button>
                )}
              </EmptyList>
            )
          }
        >
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

const { columns: headers } = words;

const OUTCOME_DAYS = '7d';

/** Statistics by workflow; undefined if the user may not read executions. */
type Outcomes = Statistics | undefined;

const columnsOf = (outcomes: Outcomes): Column<WorkflowRow>[] => [
  {
    key: 'name',
    header: headers.name,
    className: 'named',
    cell: (row) => (
      <>
        <Anchor component={Link} to={`/workflows/${row.id}`} underline="always">
          {row.name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {row.slug}
          {row.version !== null && ` · ${words.version(row.version ?? 1)}`}
          {row.managedByCode === true && ` · ${words.managed}`}
        </Text>
      </>
    ),
  },
  {
    key: 'state',
    card: 'corner',
    header: headers.state,
    cell: (row) => <WorkflowState workflow={row} />,
  },
  { key: 'project', header: headers.project, className: 'short', cell: ({ project }) => project?.name },
  { key: 'trigger', header: headers.trigger, cell: (row) => <Trigger row={row} /> },
  {
    key: 'next',
    header: headers.next,
    className: 'short',
    cell: (row) => (isScheduled(row) ? <NextStart row={row} /> : WORDS.none),
  },
  {
    key: 'held',
    header: headers.held,
    cell: ({ id, heldExecutions = 0 }) =>
      heldExecutions === 0 ? (
        WORDS.none
      ) : (
        <ExecutionsLink search={{ workflow: id, held: 'true' }}>{heldExecutions.toLocaleString('en')}</ExecutionsLink>
      ),
  },
  ...(outcomes === undefined
    ? []
    : [
        {
          key: 'outcomes',
          header: headers.outcomes,
          cell: (row: WorkflowRow) => <OutcomesOf row={row} all={outcomes} />,
        },
      ]),
];

function WorkflowTable({ rows, outcomes }: { rows: WorkflowRow[]; outcomes: Outcomes }) {
  return <DataTable label={words.title} columns={columnsOf(outcomes)} rows={rows} nameOf={({ name }) => name} />;
}

function Trigger({ row: { triggerAndActionIds } }: { row: WorkflowRow }) {
  const id = triggerAndActionIds?.triggerId ?? '';
  const known = words.triggers[id as keyof typeof words.triggers];
  if (known !== undefined) return known;
  return (
    <>
      {words.triggers.poll}{' '}
      <Text span size="xs">
        <PollName id={id} />
      </Text>
    </>
  );
}

/** The catalogue name of a poll trigger such as `rss.new`. */
function PollName({ id }: { id: string }) {
  const [appId = '', triggerId = ''] = id.split('.');
  return useCatalogueNames().workName(appId, triggerId);
}

const isScheduled = ({ triggerAndActionIds, isActive, paused }: WorkflowRow) =>
  triggerAndActionIds?.triggerId === 'schedule' && isActive === true && paused === false;

function NextStart({ row }: { row: WorkflowRow }) {
  const { data } = useQuery(nextStart(row.id));
  return <Moment at={data?.nextScheduledExecution} />;
}

function OutcomesOf({ row, all }: { row: WorkflowRow; all: Statistics }) {
  const group = all.groups.find(({ key }) => key === row.id);
  // The API returns the first hundred groups only.
  if (group === undefined) return all.groupsLeftOut === undefined ? words.none7 : WORDS.none;
  const search = { workflow: row.id, since: OUTCOME_DAYS };
  return (
    <span className="outcome-links">
      {outcomeParts(group).map(({ tone, count }) => {
        const text = `${count.toLocaleString('en')} ${WORDS.chart.tones[tone]}`;
        const status = STATUSES[tone];
        if (status === undefined) return <span key={tone}>{text}</span>;
        return (
          <ExecutionsLink key={tone} search={{ ...search, status }} {...(tone === 'bad' ? { tone } : {})}>
            {text}
          </ExecutionsLink>
        );
      })}
    </span>
  );
}

const STATUSES: Partial<Record<Tone, string>> = { good: 'COMPLETED', bad: 'FAILED,TIMED_OUT', neutral: 'CANCELLED' };

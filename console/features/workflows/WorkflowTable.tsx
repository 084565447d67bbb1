import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Tone } from '../../ui/Chip.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { useCatalogueNames } from '../catalogue/catalogueNames.ts';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { outcomeParts } from '../statistics/outcomes.ts';
import type { Statistics } from '../statistics/queries.ts';
import { nextStart, type WorkflowRow } from './queries/workflows.ts';
import { WorkflowState } from './WorkflowState.tsx';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS;
const { columns: headers } = words;

export const OUTCOME_DAYS = '7d';

/** Statistics by workflow; undefined if the user may not read executions. */
export type Outcomes = Statistics | undefined;

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
          {row.slug} · {words.version(row.version ?? 1)}
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

export function WorkflowTable({ rows, outcomes }: { rows: WorkflowRow[]; outcomes: Outcomes }) {
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

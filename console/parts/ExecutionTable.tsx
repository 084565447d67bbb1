import { Anchor, Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ExecutionRow } from '../data/executions.ts';
import { questionTitles } from '../data/questions.ts';
import { WORDS } from '../words/en.ts';
import { type Column, DataTable } from './DataTable.tsx';
import { Duration, Moment } from './Moment.tsx';
import { Status } from './Status.tsx';

const { columns: headers, ...words } = WORDS.executions;

const COLUMNS: Column<ExecutionRow>[] = [
  {
    key: 'status',
    card: 'corner',
    header: headers.status,
    cell: ({ status }) => status !== undefined && <Status status={status} />,
  },
  {
    key: 'number',
    card: 'lead',
    header: headers.number,
    cell: ({ id, executionNumber }) => (
      <Anchor component={Link} to={`/executions/${id}`} underline="always">
        #{executionNumber}
      </Anchor>
    ),
  },
  {
    key: 'workflow',
    card: 'title',
    header: headers.workflow,
    className: 'named',
    cell: ({ name }) => name,
  },
  { key: 'labels', card: 'line', header: headers.labels, cell: (row) => <Labels row={row} /> },
  {
    key: 'started',
    header: headers.started,
    className: 'short',
    cell: ({ startedAt }) => <Moment at={startedAt} />,
  },
  {
    key: 'duration',
    header: headers.duration,
    className: 'short',
    cell: ({ startedAt, stoppedAt }) => <Duration from={startedAt} to={stoppedAt} />,
  },
  {
    key: 'about',
    card: 'line',
    header: headers.about,
    className: 'about',
    title: ({ statusMessage }) => statusMessage ?? undefined,
    cell: (row) => <About row={row} />,
  },
];

interface ExecutionTableProps {
  rows: ExecutionRow[];
  chosen?: ReadonlyMap<string, ExecutionRow> | undefined;
  onChoose?: (chosen: ReadonlyMap<string, ExecutionRow>) => void;
}

/** Executions as rows; each leads to its page. */
export function ExecutionTable(props: ExecutionTableProps) {
  const nameOf = ({ executionNumber }: ExecutionRow) => words.row(executionNumber ?? 0);
  return <DataTable label={words.title} columns={COLUMNS} nameOf={nameOf} {...props} />;
}

function Labels({ row }: { row: ExecutionRow }) {
  return Object.entries(row.labels ?? {}).map(([key, value]) => (
    <span key={key} className="label">
      {key}={value}
    </span>
  ));
}

/** What it waits for, or why it failed. */
function About({ row }: { row: ExecutionRow }) {
  if (row.held === true) return words.held;
  if (row.errorCode != null) {
    return (
      <>
        <Code>{row.errorCode}</Code> {row.statusMessage}
      </>
    );
  }
  if (row.status === 'NEEDS_INPUT') return <Asked executionId={row.id} />;
  if (row.continueExecutionAt != null) {
    return (
      <>
        {words.goesOn} <Moment at={row.continueExecutionAt} />
      </>
    );
  }
  return row.statusMessage ?? '';
}

/** What a person is asked. Of very many questions the newest are not read here. */
function Asked({ executionId }: { executionId: string }) {
  const { data } = useQuery(questionTitles());
  const title = data?.get(executionId);
  return title === undefined ? words.asksPerson : words.asks(title);
}

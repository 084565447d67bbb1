import './failure.css';
import { Anchor, Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Answer } from 'perdure-client';
import { useRef, useState } from 'react';
import { EXECUTION_STATUSES } from '../../../domain/execution/status.ts';
import { StatusChips } from '../../app/lists/StatusChips.tsx';
import { Status } from '../../ui/Status.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { useNow } from '../../ui/time/clock.ts';
import { Duration, Moment } from '../../ui/time/Moment.tsx';
import { relativeTime } from '../../ui/time/times.ts';
import { WORDS } from '../../ui/words/words.ts';
import { useCatalogueNames } from '../catalogue/catalogueNames.ts';
import { questionTitle } from '../inbox/queries.ts';
import type { ExecutionRow } from './queries/executions.ts';
import { EXECUTION, WAITS } from './words.ts';

const { columns: headers, ...words } = WORDS.executions;

type RetryingStep = NonNullable<ExecutionRow['retryingSteps']>[number];

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
    cell: (row) => (isToolCall(row) ? <ToolCall row={row} /> : row.name),
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
    title: ({ statusMessage, retryingSteps }) => statusMessage ?? retryingSteps?.[0]?.error?.message,
    cell: (row) => (
      <>
        <About row={row} />
        {row.retriedBy != null && (
          <>
            {' '}
            <RetriedAs retry={row.retriedBy} />
          </>
        )}
        {row.acknowledged != null && (
          <>
            {' '}
            <Acknowledged by={row.acknowledged} />
          </>
        )}
      </>
    ),
  },
];

interface ExecutionTableProps {
  rows: ExecutionRow[];
  chosen?: ReadonlyMap<string, ExecutionRow> | undefined;
  onChoose?: (chosen: ReadonlyMap<string, ExecutionRow>) => void;
}

export function ExecutionTable(props: ExecutionTableProps) {
  const nameOf = ({ executionNumber }: ExecutionRow) => words.row(executionNumber ?? 0);
  const hasLabels = props.rows.some(({ labels }) => Object.keys(labels ?? {}).length > 0);
  const columns = hasLabels ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'labels');
  return <DataTable label={words.title} columns={columns} nameOf={nameOf} {...props} />;
}

const isToolCall = ({ startedBy, workflow }: ExecutionRow) => startedBy?.type === 'agent' && workflow == null;

function ToolCall({ row: { name, startedBy } }: { row: ExecutionRow }) {
  const { toolName } = useCatalogueNames();
  return words.toolCall(startedBy?.name, toolName(name ?? ''));
}

function Labels({ row }: { row: ExecutionRow }) {
  return Object.entries(row.labels ?? {}).map(([key, value]) => (
    <span key={key} className="label">
      {key}={value}
    </span>
  ));
}

function About({ row }: { row: ExecutionRow }) {
  if (row.held === true) return words.held;
  if (row.errorCode != null) return <Failure code={row.errorCode} message={row.statusMessage ?? ''} />;
  if (row.status === 'NEEDS_INPUT') return <Asked executionId={row.id} />;
  const [next, ...others] = row.retryingSteps ?? [];
  if (next !== undefined) return <NextAttempt step={next} others={others.length} />;
  if (row.continueExecutionAt != null) {
    return (
      <>
        {words.continues} <Moment at={row.continueExecutionAt} />
      </>
    );
  }
  return row.statusMessage ?? '';
}

/** A failure's message begins with its step. The cell's title has the full message. */
const STEP_AND_MESSAGE = /^(.{1,80}?): (.+)$/s;

function Failure({ code, message }: { code: string; message: string }) {
  const [, step, reason = message] = STEP_AND_MESSAGE.exec(message) ?? [];
  return (
    <div className="failure">
      <div>
        {step} <Code>{code}</Code>
      </div>
      <div className="failure-reason">{reason}</div>
    </div>
  );
}

function NextAttempt({ step, others }: { step: RetryingStep; others: number }) {
  const now = useNow();
  const { label, attempt, wakeAt, error } = step;
  const at = Math.max(now, Date.parse(wakeAt ?? ''));
  return (
    <>
      {WAITS.nextAttempt(label, attempt + 1, wakeAt === null ? '' : relativeTime(at, now))}{' '}
      {error !== undefined && <Code>{error.code}</Code>} {others > 0 && WAITS.moreRetrying(others)}
    </>
  );
}

function Asked({ executionId }: { executionId: string }) {
  const { data: title } = useQuery(questionTitle(executionId));
  return title == null ? WAITS.asksPerson : WAITS.asks(title);
}

export function RetriedAs({ retry: { id, number } }: { retry: NonNullable<ExecutionRow['retriedBy']> }) {
  return (
    <Anchor component={Link} to={`/executions/${id}`} inherit underline="always">
      {EXECUTION.retriedAs(number)}
    </Anchor>
  );
}

/** The note is the text of the tooltip in a list, and visible on the page of the execution. */
function Acknowledged({ by: { by, note } }: { by: NonNullable<ExecutionRow['acknowledged']> }) {
  return <span title={note ?? undefined}>{EXECUTION.acknowledged(by.name)}</span>;
}

interface ExecutionChipsProps {
  counts: Answer<'countExecutions'> | undefined;
  /** Statuses, comma separated; empty: all. */
  status: string;
  onChange: (status: string | undefined) => void;
}

export function ExecutionChips(props: ExecutionChipsProps) {
  return (
    <StatusChips
      label={WORDS.executions.columns.status}
      all={WORDS.executions.anyStatus}
      statuses={EXECUTION_STATUSES}
      words={WORDS.status}
      hidesEmpty
      {...props}
    />
  );
}

interface Shown<Row> {
  rows: Row[];
  fresh: number;
}

/** Known rows change in place, and new ones wait for a click. `name` identifies the list. */
export function useShownRows<Row extends { id: string }>(name: string, loaded: Row[], isPlaceholder: boolean) {
  const first = useRef<{ name: string; ids: Set<string> }>(undefined);
  const [, drawAgain] = useState(0);
  if (first.current?.name !== name || first.current.ids.size === 0) {
    first.current = { name, ids: new Set(loaded.map(({ id }) => id)) };
  }
  const { rows, fresh } = split(first.current.ids, loaded);
  // Rows of further pages were requested, so they are shown.
  for (const { id } of rows) first.current.ids.add(id);
  // While a new list loads, the rows are still those of the previous one.
  if (isPlaceholder) first.current = undefined;
  return {
    shown: rows,
    fresh,
    showFresh: () => {
      first.current = undefined;
      drawAgain((count) => count + 1);
    },
  };
}

function split<Row extends { id: string }>(known: ReadonlySet<string>, loaded: Row[]): Shown<Row> {
  const begin = loaded.findIndex(({ id }) => known.has(id));
  if (begin < 0) return { rows: loaded, fresh: 0 };
  return { rows: loaded.slice(begin), fresh: begin };
}

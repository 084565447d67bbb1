import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SearchOf } from '../../ui/search.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { ItemStatus } from './QueueStatus.tsx';
import type { ItemRow } from './queries.ts';
import { itemName } from './queries.ts';
import { useWorkerName } from './useWorkerName.ts';
import { QUEUES } from './words.ts';

const { columns: headers, ...words } = QUEUES.page;

interface ItemTableProps {
  rows: ItemRow[];
  queueId: string;
  hrefOf: (row: ItemRow) => SearchOf<'/frame/queues/$queueId'>;
  chosen: ReadonlyMap<string, ItemRow> | undefined;
  onChoose: (chosen: ReadonlyMap<string, ItemRow>) => void;
}

export function ItemTable({ rows, queueId, hrefOf, chosen, onChoose }: ItemTableProps) {
  const columns: Column<ItemRow>[] = [
    {
      key: 'name',
      header: headers.name,
      className: 'named',
      cell: (row) => (
        <Anchor
          renderRoot={(props) => <Link to={`/queues/${queueId}`} search={hrefOf(row) as never} {...props} />}
          underline="always"
        >
          {itemName(row)}
        </Anchor>
      ),
    },
    { key: 'status', card: 'corner', header: headers.status, cell: ({ status }) => <ItemStatus status={status} /> },
    { key: 'priority', header: headers.priority, cell: ({ priority }) => priority },
    {
      key: 'data',
      card: 'line',
      header: headers.data,
      className: 'about item-data',
      cell: ({ data }) => oneLine(data),
    },
    {
      key: 'tries',
      header: headers.tries,
      className: 'short',
      cell: ({ retryCount, maxRetries }) => (maxRetries === 0 ? WORDS.none : `${retryCount} / ${maxRetries}`),
    },
    {
      key: 'created',
      header: headers.created,
      className: 'short',
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      key: 'about',
      card: 'line',
      header: headers.about,
      className: 'about item-data',
      title: ({ lastError }) => lastError ?? undefined,
      cell: (row) => <About row={row} />,
    },
  ];
  return (
    <DataTable
      label={words.items}
      columns={columns}
      rows={rows}
      nameOf={(row) => words.row(itemName(row))}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

/** Formats only primitive values: `amount: 42.5, person: Ada`. The item itself shows all. */
function oneLine(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  return Object.entries(data)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
    .slice(0, 200);
}

function About({ row: { status, lastError, lease, nextRetryAt, scheduledFor } }: { row: ItemRow }) {
  const { name, isMe } = useWorkerName(lease?.worker);
  const due = status === 'RETRYING' ? nextRetryAt : status === 'PENDING' ? scheduledFor : undefined;
  if (status === 'PROCESSING') {
    if (name === undefined) return '';
    return isMe ? words.heldByYou : words.claimedBy(name);
  }
  return (
    <>
      {due != null && (
        <>
          {words.due} <Moment at={due} />
          {lastError !== null && ' · '}
        </>
      )}
      {status !== 'COMPLETED' && lastError}
    </>
  );
}

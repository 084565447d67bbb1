import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ME, useMay } from '../../app/api/me.ts';
import { UnreadyPage } from '../../app/pages/UnreadyPage.tsx';
import { personId } from '../../app/storage/personId.ts';
import { usePageKeys } from '../../ui/keys/pageKeys.ts';
import { Page } from '../../ui/Page.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { useChosenRows } from '../../ui/table/DataTable.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { useMinute } from '../../ui/time/clock.ts';
import { WORDS } from '../../ui/words/words.ts';
import { AddItems } from './AddItems.tsx';
import { ClaimNext } from './ClaimNext.tsx';
import { ItemDrawer } from './ItemDrawer.tsx';
import { MoveDialog } from './ItemMoves.tsx';
import { ItemTable } from './ItemTable.tsx';
import type { BulkOffer } from './mutations.ts';
import { QueueActions } from './QueueActions.tsx';
import { type ItemRow, itemFilter, itemPages, oneQueue } from './queries.ts';
import { QUEUES } from './words.ts';
import './queues.css';
import type { Answer, components } from 'perdure-client';
import { ITEM_STATUSES } from '../../../domain/queue/itemStatus.ts';
import { ClearFilters, Filters } from '../../app/lists/Filters.tsx';
import { SavedViews } from '../../app/lists/SavedViews.tsx';
import { StatusChips } from '../../app/lists/StatusChips.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { SearchField } from '../../ui/table/SearchField.tsx';
import { durationText } from '../../ui/time/times.ts';
import { QueueState } from './QueueStatus.tsx';
import { queuePace } from './queuePace.ts';

const { columns, page: words } = QUEUES;

const FILTERS = ['status', 'priority', 'q', 'externalId', 'worker', 'since'] as const;

export function Queue() {
  const { queueId } = useParams({ from: '/frame/queues/$queueId' });
  const search = useSearch({ from: '/frame/queues/$queueId' });
  const navigate = useNavigate();
  const may = useMay();
  const { data: me } = useQuery(ME);
  const queue = useQuery(oneQueue(queueId));
  const userId = me === undefined ? undefined : personId(me);
  const filterBy = itemFilter(search, userId, useMinute());
  const listName = `${queueId} ${userId} ${JSON.stringify(FILTERS.map((each) => search[each] ?? ''))}`;
  const pages = useInfiniteQuery(itemPages(queueId, listName, filterBy));
  const [chosen, setChosen] = useChosenRows<ItemRow>(listName);
  // The dialog keeps its filter, so that a relative time does not change the affected items.
  const [bulk, setBulk] = useState<{ offer: BulkOffer; filterBy: string }>();
  const ask = (offer: BulkOffer) => setBulk({ offer, filterBy });
  const [isAdding, setAdding] = useState(false);
  const isItemOpen = search.item !== undefined;
  const { history } = useRouter();
  const list = useRef<number>(undefined);
  useEffect(() => {
    if (!isItemOpen) list.current = history.location.state.__TSR_index;
  });
  const mayAct = may('queues:write') && queue.data !== undefined && queue.data.deletedAt == null;
  usePageKeys(
    mayAct
      ? [
          { key: 'c', does: words.claimKey, act: () => document.querySelector<HTMLElement>('[data-claim]')?.click() },
          { key: 'n', does: words.addKey, act: () => setAdding(true) },
          { key: 'r', does: words.requeueKey, act: () => ask('requeue') },
        ]
      : [],
  );
  if (queue.data === undefined) {
    return <UnreadyPage title={QUEUES.columns.name} query={queue} missing={words.notFound} list="/queues" />;
  }
  const { name, deletedAt, isActive, itemCounts } = queue.data;
  const isDeleted = deletedAt != null;
  const mayWrite = may('queues:write') && !isDeleted;
  const set = (change: SearchOf<'/frame/queues/$queueId'>, replace = true) =>
    void navigate({ to: `/queues/${queueId}`, search: { ...search, ...change }, replace });
  const closeItem = () => {
    // The list is the previous page, so go back. A replace would put the list into the history twice.
    if (list.current !== undefined && history.location.state.__TSR_index === list.current + 1) history.back();
    else set({ item: undefined });
  };
  const isFiltered = FILTERS.some((each) => search[each]);
  const rows = distinct(pages.data?.pages.flatMap((page) => page.rows) ?? []);
  const total = pages.data?.pages[0]?.total;
  return (
    <Page title={name} beside={<QueueActions queue={queue.data} mayWrite={may('queues:write')} />}>
      <Stack gap="sm">
        <QueueFacts queue={queue.data} />
        <ItemFilters search={search} counts={itemCounts} onChange={set} />
        {!isItemOpen && (
          <Group justify="space-between" align="end" mih={36}>
            <Text size="sm" role="status">
              {chosen.size > 0 ? words.selected(chosen.size) : total !== undefined && words.total(total)}
            </Text>
            {mayWrite && (
              <Group gap="xs" align="end" className="item-acts">
                <Button size="xs" variant="default" onClick={() => setAdding(true)}>
                  {words.add}
                </Button>
                {(['COMPLETED', 'FAILED', 'remove'] as const).map((offer) => (
                  <Button
                    key={offer}
                    size="xs"
                    variant="default"
                    disabled={chosen.size === 0}
                    title={chosen.size === 0 ? words.chooseFirst : undefined}
                    onClick={() => ask(offer)}
                  >
                    {words.offers[offer]}
                  </Button>
                ))}
                <Button
                  size="xs"
                  variant="default"
                  title={chosen.size === 0 ? words.allMatching : undefined}
                  onClick={() => ask('requeue')}
                >
                  {words.offers.requeue}
                </Button>
                {isActive && (
                  <ClaimNext
                    queue={queue.data}
                    userId={userId}
                    onClaimed={({ itemId }) => set({ item: itemId }, false)}
                  />
                )}
              </Group>
            )}
          </Group>
        )}
        <Listing pages={pages} empty={isFiltered ? words.noneMatch : words.empty}>
          <ItemTable
            rows={rows}
            hrefOf={({ id }) => ({ ...search, item: id })}
            queueId={queueId}
            chosen={mayWrite ? chosen : undefined}
            onChoose={setChosen}
          />
        </Listing>
      </Stack>
      {search.item !== undefined && (
        <ItemDrawer key={search.item} queue={queue.data} itemId={search.item} mayWrite={mayWrite} onClose={closeItem} />
      )}
      {isAdding && <AddItems queueId={queueId} onClose={() => setAdding(false)} />}
      {bulk !== undefined && (
        <MoveDialog
          queueId={queueId}
          offer={bulk.offer}
          target={chosen.size > 0 ? { rows: [...chosen.values()] } : { filterBy: bulk.filterBy }}
          onClose={() => {
            setBulk(undefined);
            setChosen(new Map());
          }}
        />
      )}
    </Page>
  );
}

/** Pages use offsets: an item that moved between two reads can be on both. */
function distinct(rows: ItemRow[]): ItemRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function QueueFacts({ queue }: { queue: Answer<'getQueue'> }) {
  const { isActive, deletedAt, statistics, maxRetries, retryDelayMinutes, project } = queue;
  const facts: [string, string][] = [
    ...(project === undefined ? [] : [[columns.project, project.name] as [string, string]]),
    ...(statistics === undefined
      ? []
      : ([
          [columns.done, statistics.completedLast24h.toLocaleString('en')],
          [columns.failed, statistics.failedLast24h.toLocaleString('en')],
          [
            columns.average,
            statistics.averageProcessingMs === null ? WORDS.none : durationText(statistics.averageProcessingMs),
          ],
        ] as [string, string][])),
  ];
  const pace = isActive && deletedAt == null ? queuePace(queue) : undefined;
  return (
    <>
      <Group gap="lg" style={{ rowGap: 4 }}>
        <QueueState queue={queue} />
        {facts.map(([name, value]) => (
          <Text key={name} size="sm" component="span">
            <Text span size="sm" c="var(--ink-neutral)">
              {name}
            </Text>{' '}
            {value}
          </Text>
        ))}
        {pace !== undefined && <Text size="sm">{words.pace(pace.waiting, durationText(pace.ms))}</Text>}
        {maxRetries !== undefined && <Text size="sm">{words.facts(maxRetries, retryDelayMinutes ?? 0)}</Text>}
      </Group>
      {'description' in queue && typeof queue.description === 'string' && <Text size="sm">{queue.description}</Text>}
      {deletedAt != null && <Text size="sm">{words.deletedNote}</Text>}
      {deletedAt == null && !isActive && <Text size="sm">{words.pausedNote}</Text>}
    </>
  );
}

type Search = SearchOf<'/frame/queues/$queueId'>;

interface ItemFiltersProps {
  search: Search;
  counts: components['schemas']['ItemCounts'] | undefined;
  onChange: (change: Search) => void;
}

function ItemFilters({ search, counts, onChange }: ItemFiltersProps) {
  const { status = '', q = '', externalId = '', priority = '', worker = '', since = '' } = search;
  const filters = { status, q, externalId, priority, worker, since };
  return (
    <>
      <Filters
        label={WORDS.executions.filters}
        filters={{ externalId, priority, worker, since }}
        find={
          <SearchField
            label={QUEUES.page.find}
            placeholder={QUEUES.page.findHelp}
            value={q}
            onFind={(text) => onChange({ q: text })}
          />
        }
      >
        <SearchField
          label={QUEUES.page.externalId}
          flex="0 1 11rem"
          value={externalId}
          onFind={(text) => onChange({ externalId: text })}
        />
        <SearchField
          label={QUEUES.page.priority}
          flex="0 1 7rem"
          value={priority}
          onFind={(text) => onChange({ priority: text })}
        />
        <SearchField
          label={QUEUES.page.worker}
          help={QUEUES.page.workerHelp}
          flex="0 1 9rem"
          value={worker}
          onFind={(text) => onChange({ worker: text })}
        />
        <FilterSelect
          label={QUEUES.page.since}
          value={since}
          choices={Object.entries(WORDS.executions.sinces).map(([value, label]) => ({ value, label }))}
          onChoose={(next) => onChange({ since: next })}
        />
        <SavedViews list="items" filters={filters} onChange={onChange} />
        <ClearFilters filters={filters} onChange={onChange} />
      </Filters>
      <StatusChips
        label={QUEUES.page.status}
        all={QUEUES.page.all}
        statuses={ITEM_STATUSES}
        words={QUEUES.status}
        counts={counts}
        status={status}
        onChange={(next) => onChange({ status: next })}
      />
    </>
  );
}

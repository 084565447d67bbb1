import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { BulkKind } from '../data/bulk.ts';
import { filterByOf } from '../data/executionFilter.ts';
import { type ExecutionRow, executionCounts, executionPages } from '../data/executions.ts';
import { useMay } from '../data/me.ts';
import { isLongList } from '../data/pages.ts';
import { longerSpan } from '../data/since.ts';
import { useMinute } from '../live/clock.ts';
import { usePageKeys } from '../live/pageKeys.ts';
import { useShown } from '../live/shown.ts';
import { CopyText } from '../parts/CopyText.tsx';
import { BulkDialog } from '../parts/execution/BulkDialog.tsx';
import { ExecutionChips } from '../parts/execution/ExecutionChips.tsx';
import { ExecutionFilters } from '../parts/execution/ExecutionFilters.tsx';
import { ExecutionTable } from '../parts/execution/ExecutionTable.tsx';
import { Page } from '../parts/Page.tsx';
import { isFiltered } from '../parts/table/ClearFilters.tsx';
import { Listing } from '../parts/table/Listing.tsx';
import { useChosenRows } from '../parts/table/useChosenRows.ts';
import type { Search } from '../search.ts';
import { WORDS } from '../words/en.ts';

const words = WORDS.executions;

/** All executions, found by one search field and filters that stand in the address; acts on all that match. */
export function Executions() {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const may = useMay();
  const queries = useQueryClient();
  const minute = useMinute();
  const filterBy = filterByOf(search, minute);
  // Those of the last hour are other ones each minute, and the same list.
  const list = executionPages(filterBy, search.since === undefined ? undefined : search);
  const pages = useInfiniteQuery(list);
  const counts = useQuery(executionCounts(filterByOf(search, minute, { withStatus: false })));
  const loaded = pages.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const name = JSON.stringify(search);
  const { shown, fresh, showFresh } = useShown<ExecutionRow>(name, loaded, pages.isPlaceholderData);
  const [chosen, setChosen] = useChosenRows<ExecutionRow>(name);
  const [bulk, setBulk] = useState<{ kind: BulkKind; all: boolean; askedAt: number }>();
  const set = (change: Search) => void navigate({ to: '/executions', search: { ...search, ...change }, replace: true });
  const longer = longerSpan(search.since ?? '');
  const mayAct = may('executions:run');
  // Without either, a click would act on everything in the workspace.
  const isNarrowed = chosen.size > 0 || isFiltered(search);
  const isNone = pages.data !== undefined && shown.length === 0;
  // While one decides the time goes on, and what it concerns stays.
  const ofChosen = (kind: BulkKind) => () => setBulk({ kind, all: chosen.size === 0, askedAt: minute });
  usePageKeys([
    { key: 'f', does: words.failedKey, act: () => set({ status: 'FAILED' }) },
    ...(mayAct && isNarrowed
      ? [
          { key: 'r', does: words.retryKey, act: ofChosen('retry') },
          { key: 'c', does: words.cancelKey, act: ofChosen('cancel') },
        ]
      : []),
  ]);
  return (
    <Page title={words.title}>
      <Stack gap="sm">
        <ExecutionFilters search={search} onChange={set} />
        <ExecutionChips counts={counts.data} status={search.status ?? ''} onChange={(status) => set({ status })} />
        <Group justify="space-between" mih={36}>
          <Text size="sm" role="status">
            {chosen.size > 0 ? words.selected(chosen.size) : ''}
          </Text>
          {mayAct && isNarrowed && !isNone && (
            <Group gap="xs" className="one-line">
              <Text size="sm">{chosen.size === 0 && words.allMatching}</Text>
              {chosen.size > 0 && <CopyText size="xs" label={words.copyIds} text={[...chosen.keys()].join('\n')} />}
              <Button size="xs" variant="default" onClick={ofChosen('retry')}>
                {words.retry}
              </Button>
              <Button size="xs" variant="default" onClick={ofChosen('cancel')}>
                {words.cancel}
              </Button>
              <Button size="xs" variant="subtle" color="red" c="var(--ink-bad)" onClick={ofChosen('terminate')}>
                {words.terminate}
              </Button>
            </Group>
          )}
        </Group>
        {fresh > 0 && (
          <Button variant="light" size="xs" onClick={showFresh}>
            {words.fresh(fresh)}
          </Button>
        )}
        {isLongList(pages.data) && (
          <Text size="sm">
            {words.longList}{' '}
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => {
                showFresh();
                void queries.resetQueries({ queryKey: list.queryKey });
              }}
            >
              {words.readAgain}
            </Button>
          </Text>
        )}
        <Listing
          pages={pages}
          empty={
            <>
              {isFiltered(search) ? words.noneMatch : words.noneYet}{' '}
              {longer !== undefined && (
                <Button variant="default" size="compact-sm" onClick={() => set({ since: longer })}>
                  {words.showSpan(words.spans[longer] ?? longer)}
                </Button>
              )}
            </>
          }
        >
          <ExecutionTable rows={shown} chosen={mayAct ? chosen : undefined} onChoose={setChosen} />
        </Listing>
      </Stack>
      {bulk !== undefined && (
        <BulkDialog
          kind={bulk.kind}
          target={bulk.all ? { filterBy: filterByOf(search, bulk.askedAt) } : { rows: [...chosen.values()] }}
          onClose={() => {
            setBulk(undefined);
            setChosen(new Map());
          }}
        />
      )}
    </Page>
  );
}

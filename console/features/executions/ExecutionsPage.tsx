import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { isLongList } from '../../app/api/pages.ts';
import { isFiltered } from '../../app/lists/ClearFilters.tsx';
import { CopyText } from '../../ui/CopyText.tsx';
import { usePageKeys } from '../../ui/keys/pageKeys.ts';
import { Page } from '../../ui/Page.tsx';
import type { Search } from '../../ui/search.ts';
import { useChosenRows } from '../../ui/table/DataTable.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { useMinute } from '../../ui/time/clock.ts';
import { longerSpan } from '../../ui/time/since.ts';
import { WORDS } from '../../ui/words/words.ts';
import { BulkDialog } from './BulkDialog.tsx';
import { ExecutionChips } from './ExecutionChips.tsx';
import { ExecutionFilters } from './ExecutionFilters.tsx';
import { ExecutionTable } from './ExecutionTable.tsx';
import type { BulkKind } from './queries/bulk.ts';
import { filterByOf } from './queries/executionFilter.ts';
import { type ExecutionRow, executionCounts, executionPages } from './queries/executions.ts';
import { useShown } from './shown.ts';

const words = WORDS.executions;

export function Executions() {
  const search = useSearch({ from: '/frame/executions' });
  const navigate = useNavigate();
  const may = useMay();
  const queries = useQueryClient();
  const minute = useMinute();
  const filterBy = filterByOf(search, minute);
  // A relative filter such as "last hour" changes each minute, but the list keeps its key.
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
  // The open dialog keeps its minute, so the executions it concerns do not change.
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

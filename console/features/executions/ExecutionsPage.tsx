import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { choices } from '../../app/api/choices.ts';
import { useMay } from '../../app/api/me.ts';
import { isLongList } from '../../app/api/pages.ts';
import { ClearFilters, Filters, isFiltered } from '../../app/lists/Filters.tsx';
import { SavedViews } from '../../app/lists/SavedViews.tsx';
import { CopyText } from '../../ui/CopyText.tsx';
import { usePageKeys } from '../../ui/keys/pageKeys.ts';
import { Page } from '../../ui/Page.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { useChosenRows } from '../../ui/table/DataTable.tsx';
import { TimeFilter } from '../../ui/table/DateFilter.tsx';
import { EmptyList } from '../../ui/table/EmptyList.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { SearchField } from '../../ui/table/SearchField.tsx';
import { useMinute } from '../../ui/time/clock.ts';
import { longerSpan } from '../../ui/time/since.ts';
import { WORDS } from '../../ui/words/words.ts';
import { BulkDialog } from './BulkDialog.tsx';
import { ExecutionChips, ExecutionTable, useShownRows } from './ExecutionTable.tsx';
import type { BulkKind } from './mutations.ts';
import { FAILING, filterByOf } from './queries/executionFilter.ts';
import { type ExecutionRow, executionCounts, executionPages } from './queries/executions.ts';

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
  const { shown, fresh, showFresh } = useShownRows<ExecutionRow>(name, loaded, pages.isPlaceholderData);
  const [chosen, setChosen] = useChosenRows<ExecutionRow>(name);
  const [bulk, setBulk] = useState<{ kind: BulkKind; all: boolean; askedAt: number }>();
  const set = (change: SearchOf<'/frame/executions'>) =>
    void navigate({ to: '/executions', search: { ...search, ...change }, replace: true });
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
              <Button size="xs" variant="default" onClick={ofChosen('acknowledge')}>
                {words.acknowledge}
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
              {isFiltered(search) ? words.noneMatch : <NoneYet />}{' '}
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

function NoneYet() {
  const may = useMay();
  return (
    <EmptyList means={words.noneYet}>
      {may('workflows:read') && (
        <Button component={Link} to={'/workflows' as string}>
          {words.toWorkflows}
        </Button>
      )}
    </EmptyList>
  );
}

type Search = SearchOf<'/frame/executions'>;

const BETWEEN = 'between';

const NOT_FAILING = { status: undefined, retried: undefined, acknowledged: undefined };
const isStillFailing = ({ status, retried, acknowledged }: Search) =>
  status === FAILING.status && retried === FAILING.retried && acknowledged === FAILING.acknowledged;

interface ExecutionFiltersProps {
  search: Search;
  onChange: (change: Search) => void;
}

function ExecutionFilters({ search, onChange }: ExecutionFiltersProps) {
  const isBetween = search.since === BETWEEN || search.after !== undefined || search.before !== undefined;
  const { data: workflows = [] } = useQuery(choices('listWorkflows'));
  return (
    <Filters
      label={words.filters}
      filters={{ ...search, q: undefined, status: undefined }}
      find={
        <SearchField
          label={words.search}
          help={words.searchHelp}
          placeholder={words.searchExample}
          value={search.q ?? ''}
          onFind={(q) => onChange({ q })}
        />
      }
    >
      <FilterSelect
        label={words.workflow}
        maw={220}
        value={search.workflow}
        any={words.allWorkflows}
        choices={workflows.map(({ id, name }) => ({ value: id, label: name ?? id }))}
        onChoose={(workflow) => onChange({ workflow })}
      />
      <FilterSelect
        label={words.since}
        value={isBetween ? BETWEEN : search.since}
        choices={[
          ...Object.entries(words.sinces).map(([value, label]) => ({ value, label })),
          { value: BETWEEN, label: words.between },
        ]}
        onChoose={(since) => onChange({ since, after: undefined, before: undefined })}
      />
      {isBetween && (
        <>
          <TimeFilter label={words.after} value={search.after} onChange={(after) => onChange({ after })} />
          <TimeFilter label={words.before} value={search.before} onChange={(before) => onChange({ before })} />
        </>
      )}
      <Checkbox
        label={words.retrying}
        mb={8}
        checked={search.retrying === 'true'}
        onChange={(event) => onChange({ retrying: event.currentTarget.checked ? 'true' : undefined })}
      />
      <Checkbox
        label={words.heldOnly}
        mb={8}
        checked={search.held === 'true'}
        onChange={(event) => onChange({ held: event.currentTarget.checked ? 'true' : undefined })}
      />
      <Checkbox
        label={words.waitingForApproval}
        mb={8}
        checked={search.waitingForApproval === 'true'}
        onChange={(event) => onChange({ waitingForApproval: event.currentTarget.checked ? 'true' : undefined })}
      />
      <Checkbox
        label={words.stillFailing}
        mb={8}
        checked={isStillFailing(search)}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? FAILING : NOT_FAILING)}
      />
      <Checkbox
        label={words.testsOfDrafts}
        mb={8}
        checked={search.draft === 'true'}
        onChange={(event) => onChange({ draft: event.currentTarget.checked ? 'true' : undefined })}
      />
      <SavedViews list="executions" filters={search} onChange={onChange} />
      <ClearFilters filters={search} onChange={onChange} />
    </Filters>
  );
}

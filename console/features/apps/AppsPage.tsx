import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { catalogue } from '../../app/api/choices.ts';
import { useMay } from '../../app/api/me.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyList } from '../../ui/table/EmptyList.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { SearchField } from '../../ui/table/SearchField.tsx';
import type { App } from './queries.ts';
import { APPS } from './words.ts';

const words = APPS;

const ImportAppDialog = lazyPart(() => import('./ImportAppDialog.tsx'), 'ImportAppDialog');
const DIGEST_SHOWN = 12;

const COLUMNS: Column<App & { id: string }>[] = [
  {
    key: 'name',
    card: 'title',
    header: words.columns.name,
    className: 'wordy',
    cell: ({ appId, name, description, isCustom }) => (
      <>
        <Group gap="xs">
          <Anchor component={Link} to={`/apps/${encodeURIComponent(appId)}`} underline="always">
            {name}
          </Anchor>
          {isCustom && <Chip tone="neutral">{words.custom}</Chip>}
        </Group>
        <Text size="xs">{description}</Text>
      </>
    ),
  },
  { key: 'runs', header: words.columns.runs, cell: ({ runsOn }) => words.runs[runsOn ?? 'builtIn'] },
  { key: 'actions', header: words.columns.actions, cell: ({ actions }) => actions.length.toLocaleString('en') },
  {
    key: 'digest',
    header: words.columns.digest,
    cell: ({ digest }) => digest !== undefined && <code title={digest}>{digest.slice(0, DIGEST_SHOWN)}</code>,
  },
];

export function Apps() {
  const search = useSearch({ from: '/frame/apps' });
  const navigate = useNavigate();
  const may = useMay();
  const [isImporting, setImporting] = useState(false);
  const apps = useQuery(catalogue());
  const set = (change: SearchOf<'/frame/apps'>) =>
    void navigate({ to: '/apps', search: { ...search, ...change }, replace: true });
  const isCustomOnly = search.show === 'custom';
  const all = (apps.data ?? []).filter(({ isCustom }) => !isCustomOnly || isCustom);
  const found = sorted(all.filter((app) => matches(app, search.q ?? '')));
  return (
    <Page
      title={words.title}
      beside={
        may('apps:write') && (
          <Button variant="default" onClick={() => setImporting(true)}>
            {words.import.open}
          </Button>
        )
      }
    >
      <Stack>
        <Text>{words.means}</Text>
        <Group align="end" gap="sm">
          <SearchField
            label={words.search}
            placeholder={words.searchExample}
            value={search.q ?? ''}
            onFind={(q) => set({ q })}
          />
          <FilterSelect
            label={words.filter}
            value={search.show}
            choices={Object.entries(words.filters).map(([value, label]) => ({ value, label }))}
            onChoose={(show) => set({ show })}
          />
        </Group>
        {apps.error !== null && <ProblemAlert error={apps.error} onRetry={() => void apps.refetch()} />}
        {apps.data === undefined && apps.error === null && <Loading />}
        {apps.data !== undefined && found.length === 0 && (
          <EmptyList means={isCustomOnly && all.length === 0 ? words.noneCustom : words.noneMatch} />
        )}
        {found.length > 0 && (
          <DataTable
            label={words.title}
            columns={COLUMNS}
            nameOf={({ name }) => name}
            rows={found.map((app) => ({ ...app, id: app.appId }))}
          />
        )}
      </Stack>
      {isImporting && (
        <Suspense fallback={null}>
          <ImportAppDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </Page>
  );
}

/** Custom apps come first. */
const sorted = (apps: readonly App[]) =>
  apps.toSorted(
    (one, other) => Number(other.isCustom) - Number(one.isCustom) || one.name.localeCompare(other.name, 'en'),
  );

function matches({ name, appId, actions }: App, text: string): boolean {
  const asked = text.trim().toLowerCase();
  const has = (each: string) => each.toLowerCase().includes(asked);
  return has(name) || has(appId) || actions.some((action) => has(action.name));
}

import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import type { Search } from '../../ui/search.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { type VersionRow, versionPages, type WorkflowWhole } from './queries/workflows.ts';
import { RestoreDialog } from './RestoreDialog.tsx';
import { VersionChanges } from './VersionChanges.tsx';
import { VersionLink } from './VersionLink.tsx';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.versions;
const VersionGraph = lazyPart(() => import('./VersionGraph.tsx'), 'VersionGraph');

interface WorkflowVersionsProps {
  workflow: WorkflowWhole;
  etag: string | undefined;
  search: Search;
  onChange: (change: Search) => void;
}

type Row = VersionRow & { id: string };

export function WorkflowVersions({ workflow, etag, search, onChange }: WorkflowVersionsProps) {
  const may = useMay();
  const pages = useInfiniteQuery(versionPages(workflow.id));
  const [restored, setRestored] = useState<number>();
  const rows = (pages.data?.pages.flatMap((page) => page.rows) ?? []).map(
    (row): Row => ({ ...row, id: String(row.version) }),
  );
  const newest = workflow.version ?? 1;
  const to = versionIn(search.to) ?? newest;
  const from = versionIn(search.from) ?? to - 1;
  const graph = versionIn(search.graph);
  const isManaged = workflow.managedByCode === true;
  const compare = (change: { from?: number; to?: number }) => {
    const both = { from, to, ...change };
    onChange({ from: String(both.from), to: String(both.to) });
  };
  const columns: Column<Row>[] = [
    {
      key: 'version',
      header: words.columns.version,
      cell: ({ version }) => (version === newest ? `${version} (${words.newest})` : version),
    },
    { key: 'at', header: words.columns.at, className: 'short', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { key: 'by', header: words.columns.by, cell: authorOf },
    {
      key: 'open',
      header: words.columns.open,
      cell: ({ version, openExecutions }) => <Open workflowId={workflow.id} version={version} count={openExecutions} />,
    },
    {
      key: 'actions',
      card: 'line',
      header: words.columns.actions,
      cell: ({ version }) => (
        <Group gap="xs">
          {version > 1 && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={words.compare(version)}
              onClick={() => compare({ from: version - 1, to: version })}
            >
              {words.show}
            </Button>
          )}
          {version !== newest && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={words.graphOf(version)}
              renderRoot={(props) => <VersionLink {...{ workflowId: workflow.id, search, version }} {...props} />}
            >
              {words.graph}
            </Button>
          )}
          {may('workflows:write') && version !== newest && !isManaged && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={words.restoreOf(version)}
              onClick={() => setRestored(version)}
            >
              {words.restore}
            </Button>
          )}
        </Group>
      ),
    },
  ];
  const numbers = Array.from({ length: newest }, (_, index) => newest - index);
  const choices = numbers.map((number) => ({ value: String(number), label: words.number(number) }));
  return (
    <Stack gap="md">
      {isManaged && <Text size="sm">{words.managed}</Text>}
      <Listing pages={pages} empty={WORDS.none}>
        <DataTable label={WORKFLOWS.tabs.versions} columns={columns} rows={rows} />
      </Listing>
      {graph !== undefined && (
        <Suspense fallback={<Loading height={360} />}>
          <VersionGraph {...{ workflow, search, onChange }} version={graph} />
        </Suspense>
      )}
      {newest > 1 && (
        <>
          <Group>
            <NativeSelect
              label={words.from}
              value={String(from)}
              onChange={(event) => compare({ from: Number(event.currentTarget.value) })}
              data={choices}
            />
            <NativeSelect
              label={words.to}
              value={String(to)}
              onChange={(event) => compare({ to: Number(event.currentTarget.value) })}
              data={choices}
            />
          </Group>
          {from > 0 && <VersionChanges workflowId={workflow.id} from={from} to={to} />}
        </>
      )}
      {restored !== undefined && (
        <RestoreDialog workflow={workflow} etag={etag} version={restored} onClose={() => setRestored(undefined)} />
      )}
    </Stack>
  );
}

function versionIn(text: string | undefined): number | undefined {
  const version = Number(text);
  return Number.isInteger(version) && version > 0 ? version : undefined;
}

function authorOf({ createdBy }: VersionRow): string {
  if (createdBy === null) return words.unknown;
  const name = createdBy.name ?? words.unknown;
  return createdBy.type === 'apiKey' ? words.apiKey(name) : name;
}

function Open({ workflowId, version, count }: { workflowId: string; version: number; count: number }) {
  if (count === 0) return WORDS.none;
  const search = { workflow: workflowId, version: String(version), status: OPEN };
  return <ExecutionsLink search={search}>{count.toLocaleString('en')}</ExecutionsLink>;
}

const OPEN = 'PENDING,RUNNING,WAITING,NEEDS_INPUT';

import { Button, Code, Group, List, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { done } from '../../ui/notices.tsx';
import { ChangedMeanwhile, isChangedMeanwhile } from '../../ui/problem/SaveProblem.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { restoreVersion } from './mutations.ts';
import {
  oneVersion,
  refreshWorkflows,
  type VersionRow,
  type VersionWhole,
  versionPages,
  type WorkflowWhole,
} from './queries/workflows.ts';
import { VersionLink } from './VersionLink.tsx';
import { WORKFLOWS } from './words.ts';
import '../../ui/table/whole.css';
import type { Json } from '../../../domain/json.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { type DefinitionChange, definitionChanges } from './definitionChanges.ts';

type Search = SearchOf<'/frame/workflows/$workflowId'>;

const words = WORKFLOWS.versions;
const VersionGraph = lazyPart(() => import('./VersionGraph.tsx'), 'VersionGraph');
const DefinitionText = lazyPart(() => import('./DefinitionText.tsx'), 'DefinitionText');

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

interface RestoreDialogProps {
  workflow: WorkflowWhole;
  /** The ETag of the workflow as the page shows it, so that a later change is not overwritten. */
  etag: string | undefined;
  version: number;
  onClose: () => void;
}

function RestoreDialog({ workflow, etag, version, onClose }: RestoreDialogProps) {
  const queries = useQueryClient();
  const newest = workflow.version ?? 1;
  const restore = async () => {
    const earlier = await queries.fetchQuery(oneVersion(workflow.id, version));
    const stored = await restoreVersion(workflow, etag, earlier);
    done(stored.version === newest ? words.restoredSame : words.restored(stored.version));
    refreshWorkflows(queries);
  };
  return (
    <ActDialog
      title={words.restoreTitle(version)}
      means={words.restoreMeans(newest + 1)}
      button={words.restore}
      dismiss={WORDS.executions.dismiss}
      explain={(error) => (isChangedMeanwhile(error) ? <ChangedMeanwhile /> : undefined)}
      onAct={restore}
      onClose={onClose}
    />
  );
}

interface VersionChangesProps {
  workflowId: string;
  from: number;
  to: number;
}

function VersionChanges({ workflowId, from, to }: VersionChangesProps) {
  const before = useQuery(oneVersion(workflowId, from));
  const after = useQuery(oneVersion(workflowId, to));
  const [isTextOpen, setTextOpen] = useState(false);
  const error = before.error ?? after.error;
  if (error !== null) {
    const again = () => {
      void before.refetch();
      void after.refetch();
    };
    return <ProblemAlert error={error} onRetry={again} />;
  }
  if (before.data === undefined || after.data === undefined) return <Loading height={120} />;
  const changes = definitionChanges(before.data, after.data);
  return (
    <Stack gap="xs" component="section" aria-label={words.changes(from, to)}>
      <Title order={2} size="h4">
        {words.changes(from, to)}
      </Title>
      {changes.length === 0 && <Text>{words.same}</Text>}
      <List spacing={4}>
        {changes.map((change) => (
          <List.Item key={change.text}>
            <Change change={change} />
          </List.Item>
        ))}
      </List>
      <OpenOnes version={before.data} />
      <details className="whole" onToggle={(event) => setTextOpen(event.currentTarget.open)}>
        <summary>{words.text}</summary>
        {isTextOpen && (
          <Suspense fallback={<Loading height={120} />}>
            <DefinitionText label={words.textLabel} from={before.data} to={after.data} />
          </Suspense>
        )}
      </details>
    </Stack>
  );
}

const TONES = { added: 'good', removed: 'bad', changed: 'run' } as const;
const SIGNS = { added: '+', removed: '−', changed: '~' } as const;

function Change({ change: { kind, text, values } }: { change: DefinitionChange }) {
  return (
    <>
      <span className="change" data-tone={TONES[kind]} aria-hidden>
        {SIGNS[kind]}
      </span>{' '}
      {text}
      {values !== undefined && (
        <Text size="xs" component="span" display="block">
          {words.was} <Code>{short(values.from)}</Code>, {words.is} <Code>{short(values.to)}</Code>
        </Text>
      )}
    </>
  );
}

/** Longer values are only in the text below. */
const MAX_SHOWN = 120;

function short(value: Json): string {
  if (value === null) return WORDS.none;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function OpenOnes({ version: { openExecutions, version } }: { version: VersionWhole }) {
  if (openExecutions === 0) return null;
  return <Text size="sm">{words.staysOn(openExecutions, version)}</Text>;
}

import { Anchor, Button, Checkbox, Group, Modal, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { Filters } from '../../app/lists/Filters.tsx';
import { SavedViews } from '../../app/lists/SavedViews.tsx';
import { useNewForm } from '../../app/pages/newForms.ts';
import { escaped } from '../../ui/escaped.ts';
import { Page } from '../../ui/Page.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyList } from '../../ui/table/EmptyList.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { SearchField } from '../../ui/table/SearchField.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { durationText } from '../../ui/time/times.ts';
import { WORDS } from '../../ui/words/words.ts';
import { ItemCounts, QueueState } from './QueueStatus.tsx';
import { type QueueRow, queuePages, refreshQueues } from './queries.ts';
import { QUEUES } from './words.ts';
import './queues.css';
import { choices } from '../../app/api/choices.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { createQueue } from './mutations.ts';
import { BOUNDS } from './queueForm.ts';

const words = QUEUES;

const COLUMNS: Column<QueueRow>[] = [
  {
    key: 'name',
    header: words.columns.name,
    className: 'named',
    cell: ({ id, name }) => (
      <Anchor component={Link} to={`/queues/${id}`} underline="always">
        {name}
      </Anchor>
    ),
  },
  { key: 'state', card: 'corner', header: words.columns.state, cell: (row) => <QueueState queue={row} /> },
  {
    key: 'counts',
    card: 'line',
    header: words.columns.counts,
    cell: ({ itemCounts }) => itemCounts !== undefined && <ItemCounts counts={itemCounts} />,
  },
  {
    key: 'oldest',
    header: words.columns.oldest,
    className: 'short',
    cell: ({ oldestReadyAt }) => oldestReadyAt != null && <Moment at={oldestReadyAt} />,
  },
  {
    key: 'done',
    header: words.columns.done,
    cell: ({ statistics }) => statistics?.completedLast24h.toLocaleString('en'),
  },
  {
    key: 'failed',
    header: words.columns.failed,
    cell: ({ statistics }) => statistics?.failedLast24h.toLocaleString('en'),
  },
  {
    key: 'average',
    header: words.columns.average,
    className: 'short',
    cell: ({ statistics }) =>
      statistics?.averageProcessingMs == null ? WORDS.none : durationText(statistics.averageProcessingMs),
  },
  {
    key: 'workflows',
    header: words.columns.workflows,
    className: 'named',
    cell: ({ workflows }) => workflows != null && workflows.length > 0 && <Consumers workflows={workflows} />,
  },
  {
    key: 'project',
    header: words.columns.project,
    className: 'short',
    cell: ({ project }) => project?.name,
  },
];

export function Queues() {
  const search = useSearch({ from: '/frame/queues' });
  const navigate = useNavigate();
  const may = useMay();
  const filterBy = search.q ? `search:${escaped(search.q)}` : '';
  const pages = useInfiniteQuery(queuePages({ filterBy, includeType: search.deleted === 'true' ? 'deleted' : '' }));
  const set = (change: SearchOf<'/frame/queues'>) =>
    void navigate({ to: '/queues', search: { ...search, ...change }, replace: true });
  const mayWrite = may('queues:write');
  const form = useNewForm(mayWrite);
  return (
    <Page title={words.title} beside={mayWrite && <Button onClick={form.open}>{words.create}</Button>}>
      <Stack gap="sm">
        <Filters
          label={WORDS.executions.filters}
          filters={{ ...search, q: undefined }}
          find={
            <SearchField
              label={words.search}
              placeholder={words.searchHelp}
              value={search.q ?? ''}
              onFind={(q) => set({ q })}
            />
          }
        >
          <Checkbox
            mb={8}
            label={words.withDeleted}
            checked={search.deleted === 'true'}
            onChange={(event) => set({ deleted: event.currentTarget.checked ? 'true' : undefined })}
          />
          <SavedViews list="queues" filters={search} onChange={set} />
        </Filters>
        <Listing
          pages={pages}
          empty={
            search.q ? (
              words.noneMatch
            ) : (
              <EmptyList means={words.noneYet}>
                {mayWrite && <Button onClick={form.open}>{words.first}</Button>}
              </EmptyList>
            )
          }
        >
          <DataTable label={words.title} columns={COLUMNS} rows={pages.data?.pages.flatMap(({ rows }) => rows) ?? []} />
        </Listing>
      </Stack>
      {form.isOpen && <NewQueue onClose={form.close} />}
    </Page>
  );
}

function Consumers({ workflows }: { workflows: NonNullable<QueueRow['workflows']> }) {
  return workflows.map(({ id, name, isActive }, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Anchor component={Link} to={`/workflows/${id}`} underline="always">
        {name}
      </Anchor>
      {!isActive && ` (${words.inactive})`}
    </span>
  ));
}

function NewQueue({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const projects = useQuery(choices('listProjects'));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('');
  const [maxRetries, setRetries] = useState<number | string>(3);
  const [retryDelayMinutes, setDelay] = useState<number | string>(5);
  const projectId = chosen === '' ? (projects.data?.[0]?.id ?? '') : chosen;
  const make = useMutation({
    mutationFn: () =>
      createQueue(projectId, {
        name: name.trim(),
        maxRetries: Number(maxRetries),
        retryDelayMinutes: Number(retryDelayMinutes),
      }),
    onSuccess: ({ id }) => {
      void refreshQueues(queries);
      void navigate({ to: `/queues/${id}` });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={QUEUES.make.title}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={QUEUES.make.name}
            required
            maxLength={200}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NativeSelect
            label={QUEUES.make.project}
            value={projectId}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={(projects.data ?? []).map((project) => ({ value: project.id, label: project.name }))}
          />
          <NumberInput
            label={QUEUES.make.retries}
            required
            {...BOUNDS.maxRetries}
            value={maxRetries}
            onChange={setRetries}
          />
          <NumberInput
            label={QUEUES.make.delay}
            required
            {...BOUNDS.retryDelayMinutes}
            value={retryDelayMinutes}
            onChange={setDelay}
          />
          {make.error !== null && <ProblemAlert error={make.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {WORDS.close}
            </Button>
            <Button type="submit" loading={make.isPending} disabled={projectId === ''}>
              {QUEUES.make.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

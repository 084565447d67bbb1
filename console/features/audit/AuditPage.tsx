import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconCheck, IconQuestionMark } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ClearFilters, Filters } from '../../app/lists/Filters.tsx';
import { SavedViews } from '../../app/lists/SavedViews.tsx';
import { Chip, type Tone } from '../../ui/Chip.tsx';
import { csvOf } from '../../ui/files/csv.ts';
import { saveFile } from '../../ui/files/saveFile.ts';
import { done, failed } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { DateFilter } from '../../ui/table/DateFilter.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { useZone } from '../../ui/time/timeZone.ts';
import { KIND_PLACES } from '../../ui/UsedBy.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { allKeys } from '../keys/queries.ts';
import { allPeople } from '../people/queries.ts';
import { AUDIT_FILTERS, type AuditEntry, allEntries, auditFilter, auditPages } from './queries.ts';
import { SUMMARIES } from './summaries.ts';
import { AUDIT } from './words.ts';
import '../../ui/settings.css';

type Search = SearchOf<'/frame/settings/audit'>;

const words = AUDIT;

const OUTCOMES: Record<AuditEntry['outcome'], { tone: Tone; icon: typeof IconCheck }> = {
  success: { tone: 'good', icon: IconCheck },
  failure: { tone: 'bad', icon: IconAlertTriangle },
  denied: { tone: 'ask', icon: IconBan },
  unknown: { tone: 'neutral', icon: IconQuestionMark },
};

export function Audit() {
  const search = useSearch({ from: '/frame/settings/audit' });
  const navigate = useNavigate();
  const filterBy = auditFilter(search, useZone());
  const pages = useInfiniteQuery(auditPages(filterBy));
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const set = (change: Search) =>
    void navigate({ to: '/settings/audit', search: { ...search, ...change }, replace: true });
  return (
    <Page title={WORDS.navigation.settingsPages.audit} beside={<AuditExport filterBy={filterBy} />}>
      <Stack>
        <AuditFilters search={search} onChange={set} />
        <Listing pages={pages} empty={words.empty}>
          <DataTable label={WORDS.navigation.settingsPages.audit} columns={columnsOf(set)} rows={rows} />
        </Listing>
      </Stack>
    </Page>
  );
}

function columnsOf(set: (change: Search) => void): Column<AuditEntry>[] {
  const narrow = (label: string, change: Search, whole = label) => (
    <button type="button" className="narrow" title={words.only(whole)} onClick={() => set(change)}>
      {label}
    </button>
  );
  return [
    { key: 'at', card: 'fact', header: words.columns.at, className: 'short', cell: ({ at }) => <Moment at={at} /> },
    {
      key: 'actor',
      header: words.columns.actor,
      className: 'wordy',
      cell: ({ actor }) =>
        actor === null ? (
          words.nobody
        ) : (
          <>
            {narrow(actor.name ?? actor.id, { actor: actor.id })}
            {actor.type === 'apiKey' && (
              <Text size="xs" component="span">
                {' '}
                {words.apiKey}
              </Text>
            )}
          </>
        ),
    },
    {
      key: 'action',
      card: 'title',
      header: words.columns.action,
      className: 'wordy',
      cell: ({ action }) => narrow(SUMMARIES[action] ?? action, { action }, action),
    },
    {
      key: 'resource',
      card: 'line',
      header: words.columns.resource,
      cell: ({ resourceType, resourceId, resourceName }) => (
        <>
          {narrow(words.kinds[resourceType] ?? resourceType, { resourceType })}{' '}
          <ResourceName {...{ resourceType, resourceId, resourceName }} />
          {resourceId !== null && (
            <Text size="xs" ff="monospace">
              {narrow(resourceId, { resourceId })}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'outcome',
      card: 'corner',
      header: words.columns.outcome,
      cell: ({ outcome }) => (
        <Chip tone={OUTCOMES[outcome].tone} icon={OUTCOMES[outcome].icon}>
          {words.outcomes[outcome]}
        </Chip>
      ),
    },
    { key: 'address', header: words.columns.address, cell: ({ address }) => address },
    {
      key: 'request',
      header: words.columns.request,
      title: ({ requestId }) => requestId,
      cell: ({ requestId }) => <code>{requestId.slice(0, 8)}…</code>,
    },
  ];
}

/** The name of the resource when the entry was written. */
function ResourceName({
  resourceType,
  resourceId,
  resourceName,
}: Pick<AuditEntry, 'resourceType' | 'resourceId' | 'resourceName'>) {
  const place = KIND_PLACES[resourceType];
  if (place === undefined || resourceId === null) return resourceName;
  return (
    <Anchor component={Link} to={`${place}/${resourceId}`} underline="always">
      {resourceName ?? words.open}
    </Anchor>
  );
}

interface AuditFiltersProps {
  search: Search;
  onChange: (change: Search) => void;
}

const CHOICES = { action: SUMMARIES, resourceType: words.kinds, outcome: words.outcomes };

const byLabel = (one: { label: string }, other: { label: string }) => one.label.localeCompare(other.label);

function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const people = useQuery(allPeople());
  const keys = useQuery(allKeys());
  const [typed, setTyped] = useState(search.resourceId ?? '');
  useEffect(() => setTyped(search.resourceId ?? ''), [search.resourceId]);
  const apply = () => onChange({ resourceId: typed.trim() || undefined });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  const actors = [
    {
      group: words.people,
      items: (people.data ?? []).map(({ id, name, email }) => ({ value: id, label: name || email })),
    },
    { group: words.keys, items: (keys.data ?? []).map(({ id, name }) => ({ value: id, label: name })) },
  ];
  const filters = Object.fromEntries(AUDIT_FILTERS.map((name) => [name, search[name]]));
  return (
    <form onSubmit={submit}>
      <Filters
        label={words.filters}
        filters={{ ...filters, actor: undefined }}
        find={
          <FilterSelect
            label={words.columns.actor}
            maw={220}
            value={search.actor}
            any={words.anybody}
            choices={actors
              .filter(({ items }) => items.length > 0)
              .map(({ group, items }) => ({ group, items: items.toSorted(byLabel) }))}
            onChoose={(actor) => onChange({ actor })}
          />
        }
      >
        {(['action', 'resourceType', 'outcome'] as const).map((name) => (
          <FilterSelect
            key={name}
            label={words[name]}
            maw={170}
            value={search[name]}
            any={words.any}
            choices={Object.entries(CHOICES[name])
              .map(([value, label]) => ({ value, label }))
              .toSorted(byLabel)}
            onChoose={(chosen) => onChange({ [name]: chosen })}
          />
        ))}
        <TextInput
          label={words.resourceId}
          w={170}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => typed.trim() !== (search.resourceId ?? '') && apply()}
        />
        {(['after', 'before'] as const).map((name) => (
          <DateFilter
            key={name}
            label={words[name]}
            value={search[name]}
            onChange={(day) => onChange({ [name]: day })}
          />
        ))}
        <SavedViews list="audit" filters={filters} onChange={onChange} />
        <ClearFilters filters={filters} onChange={onChange} />
        <button type="submit" className="aloud" tabIndex={-1}>
          {words.filters}
        </button>
      </Filters>
    </form>
  );
}

const COLUMNS = [
  'at',
  'actorType',
  'actorId',
  'actorName',
  'action',
  'resourceType',
  'resourceId',
  'resourceName',
  'outcome',
  'address',
  'requestId',
];

const rowOf = ({ actor, ...entry }: AuditEntry) => ({
  ...entry,
  actorType: actor?.type,
  actorId: actor?.id,
  actorName: actor?.name,
});

/** Exports all matching entries as CSV. If stopped, exports the entries read so far. */
function AuditExport({ filterBy }: { filterBy: string }) {
  const [count, setCount] = useState<number>();
  const running = useRef<AbortController>(undefined);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      running.current?.abort();
    };
  }, []);
  const run = async () => {
    const stop = new AbortController();
    running.current = stop;
    setCount(0);
    try {
      const entries = await allEntries(filterBy, stop.signal, setCount);
      if (isGone.current) return;
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`audit-log-${day}.csv`, 'text/csv', csvOf(COLUMNS, entries.map(rowOf)));
      done(stop.signal.aborted ? words.stopped(entries.length) : words.exported(entries.length));
    } catch (error) {
      failed(error);
    } finally {
      setCount(undefined);
    }
  };
  if (count === undefined) {
    return (
      <Button variant="default" onClick={() => void run()}>
        {words.export}
      </Button>
    );
  }
  return (
    <Group gap="xs">
      <Text size="sm" role="status">
        {words.exporting(count)}
      </Text>
      <Button variant="default" onClick={() => running.current?.abort()}>
        {words.stop}
      </Button>
    </Group>
  );
}

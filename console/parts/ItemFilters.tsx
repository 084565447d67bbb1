import { Badge, Button, Group } from '@mantine/core';
import type { components } from 'perdure-client';
import { ITEM_STATUSES } from '../../domain/queue/itemStatus.ts';
import type { Search } from '../search.ts';
import { QUEUES } from '../words/en/queues.ts';
import { WORDS } from '../words/en.ts';
import { ClearFilters } from './ClearFilters.tsx';
import { SavedViews } from './SavedViews.tsx';
import { SearchField } from './SearchField.tsx';

const words = QUEUES;

interface ItemFiltersProps {
  search: Search;
  counts: components['schemas']['ItemCounts'] | undefined;
  onChange: (change: Search) => void;
}

/** Counts of each state, which filter the list, and fields to find an item by. The address holds them all. */
export function ItemFilters({ search, counts, onChange }: ItemFiltersProps) {
  const { status = '', q = '', externalId = '', priority = '', worker = '' } = search;
  const filters = { status, q, externalId, priority, worker };
  const chosen = new Set(status === '' ? [] : status.split(','));
  const toggle = (each: string) => {
    const next = new Set(chosen);
    if (!next.delete(each)) next.add(each);
    onChange({ status: ITEM_STATUSES.filter((one) => next.has(one)).join(',') || undefined });
  };
  return (
    <search aria-label={WORDS.executions.filters}>
      <Group gap="sm" align="end" mb="sm">
        <SearchField
          label={words.page.find}
          placeholder={words.page.findHelp}
          value={q}
          onFind={(text) => onChange({ q: text })}
        />
        <SearchField
          label={words.page.externalId}
          flex="0 1 11rem"
          value={externalId}
          onFind={(text) => onChange({ externalId: text })}
        />
        <SearchField
          label={words.page.priority}
          flex="0 1 7rem"
          value={priority}
          onFind={(text) => onChange({ priority: text })}
        />
        <SearchField
          label={words.page.worker}
          help={words.page.workerHelp}
          flex="0 1 9rem"
          value={worker}
          onFind={(text) => onChange({ worker: text })}
        />
        <SavedViews list="items" filters={filters} onChange={onChange} />
        <ClearFilters filters={filters} onChange={onChange} />
      </Group>
      <Group gap={6} role="group" aria-label={words.page.status}>
        <Button
          size="compact-sm"
          variant={chosen.size === 0 ? 'filled' : 'default'}
          aria-pressed={chosen.size === 0}
          onClick={() => onChange({ status: undefined })}
        >
          {words.page.all}
        </Button>
        {ITEM_STATUSES.map((each) => (
          <Button
            key={each}
            size="compact-sm"
            variant={chosen.has(each) ? 'filled' : 'default'}
            aria-pressed={chosen.has(each)}
            onClick={() => toggle(each)}
            rightSection={
              <Badge size="sm" variant="transparent" c="inherit">
                {counts?.[each].toLocaleString('en')}
              </Badge>
            }
          >
            {words.status[each]}
          </Button>
        ))}
      </Group>
    </search>
  );
}

import type { components } from 'perdure-client';
import { ITEM_STATUSES } from '../../../domain/queue/itemStatus.ts';
import { ClearFilters } from '../../app/lists/ClearFilters.tsx';
import { Filters } from '../../app/lists/Filters.tsx';
import { SavedViews } from '../../app/lists/SavedViews.tsx';
import { StatusChips } from '../../app/lists/StatusChips.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { SearchField } from '../../ui/table/SearchField.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { QUEUES } from './words.ts';

type Search = SearchOf<'/frame/queues/$queueId'>;

const words = QUEUES;

interface ItemFiltersProps {
  search: Search;
  counts: components['schemas']['ItemCounts'] | undefined;
  onChange: (change: Search) => void;
}

export function ItemFilters({ search, counts, onChange }: ItemFiltersProps) {
  const { status = '', q = '', externalId = '', priority = '', worker = '', since = '' } = search;
  const filters = { status, q, externalId, priority, worker, since };
  return (
    <>
      <Filters
        label={WORDS.executions.filters}
        filters={{ externalId, priority, worker, since }}
        find={
          <SearchField
            label={words.page.find}
            placeholder={words.page.findHelp}
            value={q}
            onFind={(text) => onChange({ q: text })}
          />
        }
      >
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
        <FilterSelect
          label={words.page.since}
          value={since}
          choices={Object.entries(WORDS.executions.sinces).map(([value, label]) => ({ value, label }))}
          onChoose={(next) => onChange({ since: next })}
        />
        <SavedViews list="items" filters={filters} onChange={onChange} />
        <ClearFilters filters={filters} onChange={onChange} />
      </Filters>
      <StatusChips
        label={words.page.status}
        all={words.page.all}
        statuses={ITEM_STATUSES}
        words={words.status}
        counts={counts}
        status={status}
        onChange={(next) => onChange({ status: next })}
      />
    </>
  );
}

import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { choices } from '../../app/api/choices.ts';
import { ClearFilters } from '../../app/lists/ClearFilters.tsx';
import { Filters } from '../../app/lists/Filters.tsx';
import { SavedViews } from '../../app/lists/SavedViews.tsx';
import type { Search } from '../../ui/search.ts';
import { TimeFilter } from '../../ui/table/DateFilter.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { SearchField } from '../../ui/table/SearchField.tsx';
import { WORDS } from '../../ui/words/words.ts';

const words = WORDS.executions;
const BETWEEN = 'between';

interface ExecutionFiltersProps {
  search: Search;
  onChange: (change: Search) => void;
}

export function ExecutionFilters({ search, onChange }: ExecutionFiltersProps) {
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
      <SavedViews list="executions" filters={search} onChange={onChange} />
      <ClearFilters filters={search} onChange={onChange} />
    </Filters>
  );
}

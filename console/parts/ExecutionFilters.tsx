import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { workflowNames } from '../data/workflows.ts';
import type { Search } from '../search.ts';
import { WORDS } from '../words/en.ts';

const words = WORDS.executions;

interface ExecutionFiltersProps {
  search: Search;
  onChange: (change: Search) => void;
}

/** One search field, and what is chosen from lists. The address of the page holds them all. */
export function ExecutionFilters({ search, onChange }: ExecutionFiltersProps) {
  const [phrase, setPhrase] = useState(search.q ?? '');
  const { data: workflows = [] } = useQuery(workflowNames());
  useEffect(() => setPhrase(search.q ?? ''), [search.q]);
  const find = (event: FormEvent) => {
    event.preventDefault();
    onChange({ q: phrase.trim() || undefined });
  };
  const isFiltered = Object.values(search).some((value) => value !== undefined && value !== '');
  return (
    <search aria-label={words.filters}>
      <Group align="end" gap="sm">
        <form onSubmit={find} style={{ flex: '1 1 18rem' }}>
          <TextInput
            label={words.search}
            aria-description={words.searchHelp}
            title={words.searchHelp}
            placeholder={words.searchExample}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={phrase}
            onChange={(event) => setPhrase(event.currentTarget.value)}
            onBlur={() => phrase.trim() !== (search.q ?? '') && onChange({ q: phrase.trim() || undefined })}
          />
        </form>
        <NativeSelect
          label={words.workflow}
          maw={220}
          value={search.workflow ?? ''}
          onChange={(event) => onChange({ workflow: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: words.allWorkflows },
            ...workflows.map(({ id, name }) => ({ value: id, label: name ?? id })),
          ]}
        />
        <NativeSelect
          label={words.since}
          value={search.since ?? ''}
          onChange={(event) => onChange({ since: event.currentTarget.value || undefined })}
          data={Object.entries(words.sinces).map(([value, label]) => ({ value, label }))}
        />
        <Checkbox
          label={words.retrying}
          mb={8}
          checked={search.retrying === 'true'}
          onChange={(event) => onChange({ retrying: event.currentTarget.checked ? 'true' : undefined })}
        />
        {isFiltered && (
          <Button
            variant="subtle"
            onClick={() => onChange(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])))}
          >
            {words.clear}
          </Button>
        )}
      </Group>
    </search>
  );
}

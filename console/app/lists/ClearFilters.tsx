import { Button } from '@mantine/core';
import type { Search } from '../../ui/search.ts';
import { WORDS } from '../../ui/words/words.ts';

interface ClearFiltersProps {
  filters: Search;
  onChange: (change: Search) => void;
}

export const isFiltered = (filters: Search) =>
  Object.values(filters).some((value) => value !== undefined && value !== '');

export function ClearFilters({ filters, onChange }: ClearFiltersProps) {
  if (!isFiltered(filters)) return null;
  const none = Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]));
  return (
    <Button variant="subtle" onClick={() => onChange(none)}>
      {WORDS.executions.clear}
    </Button>
  );
}

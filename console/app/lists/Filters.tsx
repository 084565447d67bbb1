import './filters.css';
import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { createContext, type ReactNode, use, useId, useMemo, useState } from 'react';
import { NARROW } from '../../ui/narrow.ts';
import type { Search } from '../../ui/search.ts';
import { WORDS } from '../../ui/words/words.ts';
import { givenFilters, VIEWS } from './savedViews.ts';

const Shown = createContext<{ show: () => void }>({ show: () => {} });

/** Opens the filters that a narrow screen hides, for shortcuts that need one of them. */
export const useShowFilters = () => use(Shown).show;

interface FiltersProps {
  label: string;
  find: ReactNode;
  /** The filters that a narrow screen hides, as in the address. */
  filters: Search;
  children: ReactNode;
}

/** On a narrow screen only `find` and a button with the number of active filters. */
export function Filters({ label, find, filters, children }: FiltersProps) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  const shown = useMemo(() => ({ show: () => setOpen(true) }), []);
  const id = useId();
  const inForce = Object.keys(givenFilters(filters)).length;
  return (
    <search aria-label={label}>
      <Group className="filters" align="end" gap="sm">
        <div className="filters-find">{find}</div>
        {isNarrow && (
          <Button
            variant={isOpen ? 'light' : 'default'}
            px="sm"
            leftSection={<IconFilter size={16} aria-hidden />}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {VIEWS.filters}
            {inForce > 0 && (
              <>
                {` · ${inForce}`}
                <span className="aloud"> {VIEWS.inForce}</span>
              </>
            )}
          </Button>
        )}
        <div id={id} className="filters-rest" hidden={isNarrow && !isOpen}>
          <Shown value={shown}>{children}</Shown>
        </div>
      </Group>
    </search>
  );
}

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

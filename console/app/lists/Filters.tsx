import './filters.css';
import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { createContext, type ReactNode, use, useId, useMemo, useState } from 'react';
import { NARROW } from '../../ui/narrow.ts';
import type { Search } from '../../ui/search.ts';
import { givenFilters } from './savedViews.ts';
import { VIEWS } from './words.ts';

const Shown = createContext<{ show: () => void }>({ show: () => {} });

/** Brings what stands behind the button of a narrow screen into sight: for keys of what is in there. */
export const useShowFilters = () => use(Shown).show;

interface FiltersProps {
  label: string;
  /** The field that is always in sight. */
  find: ReactNode;
  /** What filters and is not in sight on a narrow screen: as it stands in the address. */
  filters: Search;
  /** All the other fields. */
  children: ReactNode;
}

/** The filters of a list: one line where there is room; on a narrow screen one field, and a button for the rest that says how many are in force. */
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

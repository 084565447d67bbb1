import { Badge, Button, Group } from '@mantine/core';
import type { Answer } from 'perdure-client';
import { EXECUTION_STATUSES } from '../../domain/execution/status.ts';
import { WORDS } from '../words/en.ts';

interface StatusTabsProps {
  counts: Answer<'countExecutions'> | undefined;
  /** Statuses, comma separated; empty: all. */
  status: string;
  onChange: (status: string) => void;
}

/** Counts of each status, which filter the list. */
export function StatusTabs({ counts, status, onChange }: StatusTabsProps) {
  const chosen = new Set(status === '' ? [] : status.split(','));
  const toggle = (each: string) => {
    const next = new Set(chosen);
    if (!next.delete(each)) next.add(each);
    onChange(EXECUTION_STATUSES.filter((one) => next.has(one)).join(','));
  };
  return (
    <Group gap={6} role="group" aria-label={WORDS.executions.columns.status}>
      <Button
        size="compact-sm"
        variant={chosen.size === 0 ? 'filled' : 'default'}
        aria-pressed={chosen.size === 0}
        onClick={() => onChange('')}
      >
        {WORDS.executions.anyStatus}
      </Button>
      {EXECUTION_STATUSES.map((each) => {
        const count = counts?.[each];
        if (count === 0 && !chosen.has(each)) return null;
        return (
          <Button
            key={each}
            size="compact-sm"
            variant={chosen.has(each) ? 'filled' : 'default'}
            aria-pressed={chosen.has(each)}
            onClick={() => toggle(each)}
            rightSection={
              count === undefined ? undefined : (
                <Badge size="sm" variant="transparent" c="inherit">
                  {count.toLocaleString('en')}
                </Badge>
              )
            }
          >
            {WORDS.status[each]}
          </Button>
        );
      })}
    </Group>
  );
}

import './filters.css';
import { Badge, Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';

interface StatusChipsProps<Status extends string> {
  label: string;
  all: string;
  statuses: readonly Status[];
  words: Readonly<Record<Status, string>>;
  counts: Readonly<Partial<Record<Status, number>>> | undefined;
  hidesEmpty?: boolean;
  /** Statuses, comma separated; empty: all. */
  status: string;
  onChange: (status: string | undefined) => void;
}

export function StatusChips<Status extends string>({
  label,
  all,
  statuses,
  words,
  counts,
  hidesEmpty = false,
  status,
  onChange,
}: StatusChipsProps<Status>) {
  const line = useRef<HTMLDivElement>(null);
  const isCounted = counts !== undefined;
  useEffect(() => bringIntoLine(line.current), [status, isCounted]);
  const chosen = new Set(status === '' ? [] : status.split(','));
  const toggle = (each: string) => {
    const next = new Set(chosen);
    if (!next.delete(each)) next.add(each);
    onChange(statuses.filter((one) => next.has(one)).join(',') || undefined);
  };
  return (
    <Group ref={line} className="one-line" gap={6} role="group" aria-label={label}>
      <Button
        size="compact-sm"
        variant={chosen.size === 0 ? 'filled' : 'default'}
        aria-pressed={chosen.size === 0}
        onClick={() => onChange(undefined)}
      >
        {all}
      </Button>
      {statuses.map((each) => {
        const count = counts?.[each];
        if (hidesEmpty && !count && !chosen.has(each)) return null;
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
            {words[each]}
          </Button>
        );
      })}
    </Group>
  );
}

function bringIntoLine(line: HTMLElement | null): void {
  const chip = line?.querySelector('[aria-pressed=true]');
  if (line === null || chip == null) return;
  const [around, own] = [line.getBoundingClientRect(), chip.getBoundingClientRect()];
  if (own.left < around.left || own.right > around.right) line.scrollLeft += own.left - around.left - 40;
}

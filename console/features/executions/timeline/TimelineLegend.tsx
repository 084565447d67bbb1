import { Group } from '@mantine/core';
import type { PartKind } from './stepParts.ts';
import { TIMELINE } from './words.ts';

const KINDS = ['attempt', 'failed', 'between', 'waits', 'unknown'] as const;

export function TimelineLegend({ kinds }: { kinds: ReadonlySet<PartKind> }) {
  if ([...kinds].every((kind) => kind === 'attempt')) return null;
  return (
    <Group component="ul" gap="md" mt="xs" mb={0} p={0} className="timeline-legend">
      {KINDS.filter((kind) => kinds.has(kind)).map((kind) => (
        <li key={kind}>
          <span
            className="timeline-part timeline-sample"
            data-kind={kind}
            data-tone={kind === 'failed' ? 'bad' : 'neutral'}
            aria-hidden
          />
          {TIMELINE.legend[kind]}
        </li>
      ))}
    </Group>
  );
}

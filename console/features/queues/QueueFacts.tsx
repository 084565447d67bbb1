import { Group, Text } from '@mantine/core';
import type { Answer } from 'perdure-client';
import { durationText } from '../../ui/time/times.ts';
import { WORDS } from '../../ui/words/words.ts';
import { QueueState } from './QueuesPage.tsx';
import { queuePace } from './queuePace.ts';
import { QUEUES } from './words.ts';

const { columns, page: words } = QUEUES;

export function QueueFacts({ queue }: { queue: Answer<'getQueue'> }) {
  const { isActive, deletedAt, statistics, maxRetries, retryDelayMinutes, project } = queue;
  const facts: [string, string][] = [
    ...(project === undefined ? [] : [[columns.project, project.name] as [string, string]]),
    ...(statistics === undefined
      ? []
      : ([
          [columns.done, statistics.completedLast24h.toLocaleString('en')],
          [columns.failed, statistics.failedLast24h.toLocaleString('en')],
          [
            columns.average,
            statistics.averageProcessingMs === null ? WORDS.none : durationText(statistics.averageProcessingMs),
          ],
        ] as [string, string][])),
  ];
  const pace = isActive && deletedAt == null ? queuePace(queue) : undefined;
  return (
    <>
      <Group gap="lg" style={{ rowGap: 4 }}>
        <QueueState queue={queue} />
        {facts.map(([name, value]) => (
          <Text key={name} size="sm" component="span">
            <Text span size="sm" c="var(--ink-neutral)">
              {name}
            </Text>{' '}
            {value}
          </Text>
        ))}
        {pace !== undefined && <Text size="sm">{words.pace(pace.waiting, durationText(pace.ms))}</Text>}
        {maxRetries !== undefined && <Text size="sm">{words.facts(maxRetries, retryDelayMinutes ?? 0)}</Text>}
      </Group>
      {'description' in queue && typeof queue.description === 'string' && <Text size="sm">{queue.description}</Text>}
      {deletedAt != null && <Text size="sm">{words.deletedNote}</Text>}
      {deletedAt == null && !isActive && <Text size="sm">{words.pausedNote}</Text>}
    </>
  );
}

import { Group, Text, Title } from '@mantine/core';
import { Chip } from '../../ui/Chip.tsx';
import { Fact } from '../../ui/Fact.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import type { OneApp } from './queries.ts';
import { APPS } from './words.ts';

const words = APPS;

/** The customer's workers that poll the task queue of an app. */
export function AppWorkers({ app: { workers } }: { app: OneApp }) {
  if (workers === undefined) return null;
  const { pollers, lastSeenAt, buildIds } = workers;
  return (
    <section aria-label={words.workers.title}>
      <Title order={2} size="h4" mb="xs">
        {words.workers.title}
      </Title>
      <Group gap="lg">
        <Chip tone={pollers > 0 ? 'good' : 'wait'}>{words.workers.pollers(pollers)}</Chip>
        <Fact name={words.workers.lastSeen}>
          {lastSeenAt == null ? words.workers.never : <Moment at={lastSeenAt} />}
        </Fact>
        {buildIds.length > 0 && <Fact name={words.workers.builds}>{buildIds.join(', ')}</Fact>}
      </Group>
      {pollers === 0 && (
        <Text size="sm" mt="xs">
          {words.workers.waits}
        </Text>
      )}
    </section>
  );
}

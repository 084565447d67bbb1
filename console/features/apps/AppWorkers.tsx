import { Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../app/api/me.ts';
import { Chip } from '../../ui/Chip.tsx';
import { escaped } from '../../ui/escaped.ts';
import { Fact } from '../../ui/Fact.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { executionCounts } from '../executions/queries/executions.ts';
import type { OneApp } from './queries.ts';
import { APPS } from './words.ts';

const words = APPS;

/** The customer's workers that poll the task queue of an app. */
export function AppWorkers({ app: { workers }, taskQueue }: { app: OneApp; taskQueue: unknown }) {
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
      {typeof taskQueue === 'string' && <WaitingExecutions taskQueue={taskQueue} />}
      {pollers === 0 && (
        <Text size="sm" mt="xs">
          {words.workers.waits} {words.workers.guide}
        </Text>
      )}
    </section>
  );
}

function WaitingExecutions({ taskQueue }: { taskQueue: string }) {
  const enabled = useMay()('executions:read');
  const { data } = useQuery({ ...executionCounts(`waitingForWorker:${escaped(taskQueue)}`), enabled });
  if (data === undefined) return null;
  const count = Object.values(data).reduce((sum, one) => sum + one, 0);
  return (
    <Text size="sm" mt="xs">
      {count === 0 ? (
        words.workers.noneWaits
      ) : (
        <ExecutionsLink search={{ waitingForWorker: taskQueue }}>{words.workers.waiting(count)}</ExecutionsLink>
      )}
    </Text>
  );
}

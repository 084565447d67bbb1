import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queueItemsOf } from './queries.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS;

export function EntityItems({ entityId }: { entityId: string }) {
  const { data } = useQuery(queueItemsOf(entityId));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-label={words.items}>
      <Title order={2} size="h4" mb="xs">
        {words.items}
      </Title>
      <ul className="history">
        {data.items.map(({ id, status, queue }) => (
          <li key={id}>
            <Text size="sm">
              {queue?.name ?? words.queue}: {status}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

import { Button, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { historyPages, type ObjectType } from './queries.ts';
import { StateChip } from './StateChip.tsx';
import { OBJECTS } from './words.ts';

const words = OBJECTS;

export function EntityHistory({ entityId, type }: { entityId: string; type: ObjectType }) {
  const pages = useInfiniteQuery(historyPages(entityId));
  const moves = pages.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <section aria-label={words.history}>
      <Title order={2} size="h4" mb="xs">
        {words.history}
      </Title>
      {pages.error !== null && <ProblemAlert error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.data !== undefined && moves.length === 0 && <Text>{words.noHistory}</Text>}
      <Stack gap="xs" component="ol" className="history">
        {moves.map(({ id, from, to, reason, changedBy, changedAt }) => (
          <li key={id}>
            <StateChip type={type} state={from} /> → <StateChip type={type} state={to} />{' '}
            <Text size="sm" component="span">
              <Moment at={changedAt} /> {words.by(changedBy.name ?? WORDS.none)}
            </Text>
            {reason !== null && <Text size="sm">{reason}</Text>}
          </li>
        ))}
      </Stack>
      {pages.hasNextPage && (
        <Button size="xs" variant="default" mt="xs" onClick={() => void pages.fetchNextPage()}>
          {words.moreHistory}
        </Button>
      )}
    </section>
  );
}

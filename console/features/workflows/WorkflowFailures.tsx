import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMinute } from '../../ui/time/clock.ts';
import { FailureGroups } from '../executions/FailureGroups.tsx';
import { filterByOf } from '../executions/queries/executionFilter.ts';
import { statistics } from '../statistics/queries.ts';
import { STATISTICS } from '../statistics/words.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.failures;

export function WorkflowFailures({ workflowId }: { workflowId: string }) {
  const failed = { workflow: workflowId, status: 'FAILED,TIMED_OUT', since: '7d' };
  const filterBy = filterByOf(failed, useMinute());
  const { data } = useQuery(statistics({ bucket: 'day', groupBy: 'errorCode', filterBy }));
  if (data === undefined || data.groups.length === 0) return null;
  return (
    <section aria-label={words.label}>
      <Title order={2} size="h6" mb={4}>
        {words.label}
      </Title>
      <FailureGroups groups={data.groups} by="errorCode" within={failed} />
      {data.bounded && <Text size="xs">{STATISTICS.bounded}</Text>}
    </section>
  );
}

import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { filterByOf } from '../../data/executionFilter.ts';
import { statistics } from '../../data/statistics.ts';
import { useMinute } from '../../live/clock.ts';
import { WORKFLOWS } from '../../words/en/workflows.ts';
import { FailureGroups } from '../execution/FailureGroups.tsx';

const words = WORKFLOWS.failures;

/** The errors of a workflow in seven days, by their code; nothing where there are none. */
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
      {data.bounded && <Text size="xs">{WORKFLOWS.statistics.bounded}</Text>}
    </section>
  );
}

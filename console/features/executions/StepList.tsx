import { Checkbox, Group, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { apart, useCatalogueNames } from '../catalogue/catalogueNames.ts';
import type { ExecutionStep, ExecutionWhole } from './queries/executions.ts';
import { stepPages } from './queries/steps.ts';
import { StepRows } from './StepRows.tsx';
import { EXECUTION } from './words.ts';

const words = EXECUTION;

interface StepListProps {
  execution: ExecutionWhole;
  steps: ExecutionStep[];
  chosen: string | undefined;
  onChoose: (stepId: string) => void;
}

/** The API filters if the page does not have all steps. */
export function StepList({ execution, steps, chosen, onChoose }: StepListProps) {
  const { nodeName } = useCatalogueNames();
  const [nodeId, setNodeId] = useState('');
  const [failedOnly, setFailedOnly] = useState(false);
  const isComplete = execution.stepsLeftOut === undefined;
  const filters = [nodeId === '' ? '' : `nodeId:${nodeId}`, failedOnly ? 'status:FAILED' : ''];
  const pages = useInfiniteQuery({
    ...stepPages(execution.id, filters.filter((each) => each !== '').join(',')),
    enabled: !isComplete,
  });
  const found = isComplete
    ? steps.filter((step) => (nodeId === '' || step.nodeId === nodeId) && (!failedOnly || step.status === 'FAILED'))
    : (pages.data?.pages.flatMap(({ rows }) => rows) ?? []);
  return (
    <>
      <Group mb="xs" align="end">
        <NativeSelect
          size="xs"
          label={words.step}
          value={nodeId}
          onChange={(event) => setNodeId(event.currentTarget.value)}
          data={[
            { value: '', label: words.allSteps },
            ...[...apart(execution.nodes ?? [], nodeName)].map(([value, label]) => ({ value, label })),
          ]}
        />
        <Checkbox
          label={words.failedOnly}
          mb={4}
          checked={failedOnly}
          onChange={(event) => setFailedOnly(event.currentTarget.checked)}
        />
      </Group>
      {pages.error !== null && <ProblemAlert error={pages.error} onRetry={() => void pages.refetch()} />}
      {!isComplete && pages.isPending ? (
        <Loading />
      ) : (
        <StepRows
          steps={found}
          chosen={chosen}
          onChoose={onChoose}
          onEnd={pages.hasNextPage && !pages.isFetching ? () => void pages.fetchNextPage() : undefined}
        />
      )}
    </>
  );
}

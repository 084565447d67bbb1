import { Button, Group, Text } from '@mantine/core';
import { failed } from '../../ui/notices.tsx';
import type { ExecutionStep } from './queries/executions.ts';
import { iterationText, stepsOfIteration } from './queries/steps.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION.graphItem;

interface GraphIterationProps {
  executionId: string;
  step: ExecutionStep;
  nameOf: (nodeId: string) => string;
  onChoose: (stepId: string) => void;
  onNewest: () => void;
}

export function GraphIteration({ executionId, step, nameOf, onChoose, onNewest }: GraphIterationProps) {
  const { iteration, nodeId } = step;
  const place = iteration.at(-1);
  if (place === undefined) return null;
  const to = (index: number) => async () => {
    const beside = [...iteration.slice(0, -1), { ...place, index }];
    const found = await stepsOfIteration(executionId, iterationText(beside));
    const next = found.find((one) => one.nodeId === nodeId) ?? found.at(-1);
    if (next === undefined) throw new Error(words.none);
    onChoose(next.id);
  };
  const button = (label: string, index: number) => (
    <Button
      size="compact-xs"
      variant="default"
      disabled={index < 0 || (place.total !== undefined && index >= place.total)}
      onClick={() => void to(index)().catch(failed)}
    >
      {label}
    </Button>
  );
  return (
    <Group gap="xs" mb="xs">
      <Text size="sm" role="status">
        {words.shown(nameOf(place.nodeId), EXECUTION.iteration(place.index, place.total))}
      </Text>
      {button(words.before, place.index - 1)}
      {button(words.after, place.index + 1)}
      <Button size="compact-xs" variant="default" onClick={onNewest}>
        {words.newest}
      </Button>
    </Group>
  );
}

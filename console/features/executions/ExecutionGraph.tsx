import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { GraphView, type NodeFace, TRIGGER } from '../../ui/graph/GraphView.tsx';
import { failed } from '../../ui/notices.tsx';
import { useCatalogueNames } from '../catalogue/catalogueNames.ts';
import type { ExecutionStep, ExecutionWhole } from './queries/executions.ts';
import { isOfIteration, iterationSteps, iterationText, stepsOfIteration } from './queries/steps.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION;

interface ExecutionGraphProps {
  execution: ExecutionWhole;
  steps: ExecutionStep[];
  chosen: ExecutionStep | undefined;
  picked: string | undefined;
  onChoose: (stepId: string) => void;
  onNewest: () => void;
}

/** Each node has the state of its newest step or, if the person chose a step inside a loop, of that iteration. */
export function ExecutionGraph({ execution, steps, chosen, picked, onChoose, onNewest }: ExecutionGraphProps) {
  const { edges = NONE, orientation, triggerType } = execution;
  const { nodeName } = useCatalogueNames();
  const nodes = useMemo(
    () => (execution.nodes ?? NONE).map((node) => ({ ...node, name: nodeName(node) })),
    [execution.nodes, nodeName],
  );
  const around = picked === undefined || chosen?.id !== picked ? NONE : chosen.iteration;
  const { data: left = NONE } = useQuery({
    ...iterationSteps(execution.id, iterationText(around)),
    enabled: around.length > 0 && execution.stepsLeftOut !== undefined,
  });
  const newest = useMemo(() => {
    const shown = [...left, ...steps].filter((step) => isOfIteration(step, around));
    return new Map(shown.map((step) => [step.nodeId, step]));
  }, [steps, left, around]);
  const faceOf = (nodeId: string): NodeFace => {
    const { status = null, iterations: counts } = newest.get(nodeId) ?? {};
    const note = counts === undefined ? undefined : words.loop(counts.completed, counts.failed, counts.total);
    return { status, note };
  };
  const nameOf = (nodeId: string) => nodes.find(({ id }) => id === nodeId)?.name ?? nodeId;
  return (
    <>
      {around.length > 0 && chosen !== undefined && (
        <GraphIteration executionId={execution.id} step={chosen} {...{ nameOf, onChoose, onNewest }} />
      )}
      <GraphView
        label={words.graphLabel}
        begin={words.triggers[triggerType ?? ''] ?? TRIGGER}
        nodes={nodes}
        edges={edges}
        isVertical={orientation === 'vertical'}
        faceOf={faceOf}
        isTaken={({ source, target }) => newest.has(target) && (source === TRIGGER || newest.has(source))}
        chosen={chosen?.nodeId}
        // Focuses the running or failed node; a completed execution is shown whole.
        first={chosen?.status === 'COMPLETED' ? undefined : chosen?.nodeId}
        onChoose={(nodeId) => {
          const step = newest.get(nodeId);
          if (step !== undefined) onChoose(step.id);
        }}
      />
    </>
  );
}

const NONE: never[] = [];

interface GraphIterationProps {
  executionId: string;
  step: ExecutionStep;
  nameOf: (nodeId: string) => string;
  onChoose: (stepId: string) => void;
  onNewest: () => void;
}

function GraphIteration({ executionId, step, nameOf, onChoose, onNewest }: GraphIterationProps) {
  const { iteration, nodeId } = step;
  const place = iteration.at(-1);
  if (place === undefined) return null;
  const to = (index: number) => async () => {
    const beside = [...iteration.slice(0, -1), { ...place, index }];
    const found = await stepsOfIteration(executionId, iterationText(beside));
    const next = found.find((one) => one.nodeId === nodeId) ?? found.at(-1);
    if (next === undefined) throw new Error(EXECUTION.graphItem.none);
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
        {EXECUTION.graphItem.shown(nameOf(place.nodeId), EXECUTION.iteration(place.index, place.total))}
      </Text>
      {button(EXECUTION.graphItem.before, place.index - 1)}
      {button(EXECUTION.graphItem.after, place.index + 1)}
      <Button size="compact-xs" variant="default" onClick={onNewest}>
        {EXECUTION.graphItem.newest}
      </Button>
    </Group>
  );
}

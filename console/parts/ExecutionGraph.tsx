import { useMemo } from 'react';
import type { ExecutionStep, ExecutionWhole } from '../data/executions.ts';
import { EXECUTION } from '../words/en/execution.ts';
import { GraphView, type NodeFace, TRIGGER } from './GraphView.tsx';

const words = EXECUTION;

interface ExecutionGraphProps {
  execution: ExecutionWhole;
  steps: ExecutionStep[];
  chosen: ExecutionStep | undefined;
  onChoose: (stepId: string) => void;
}

/** The definition as a graph, each node with the state of its newest step. The list of steps says all of it in words. */
export function ExecutionGraph({ execution, steps, chosen, onChoose }: ExecutionGraphProps) {
  const { nodes = NONE, edges = NONE, orientation, triggerType } = execution;
  const newest = useMemo(() => new Map(steps.map((step) => [step.nodeId, step])), [steps]);
  const faceOf = (nodeId: string): NodeFace => {
    const { status = null, iterations: counts } = newest.get(nodeId) ?? {};
    const note = counts === undefined ? undefined : words.loop(counts.completed, counts.failed, counts.total);
    return { status, note };
  };
  return (
    <GraphView
      label={words.graphLabel}
      begin={words.triggers[triggerType ?? ''] ?? TRIGGER}
      nodes={nodes}
      edges={edges}
      isVertical={orientation === 'vertical'}
      faceOf={faceOf}
      isTaken={({ source, target }) => newest.has(target) && (source === TRIGGER || newest.has(source))}
      chosen={chosen?.nodeId}
      // Where it stands or failed; of what went well one sees the whole.
      first={chosen?.status === 'COMPLETED' ? undefined : chosen?.nodeId}
      onChoose={(nodeId) => {
        const step = newest.get(nodeId);
        if (step !== undefined) onChoose(step.id);
      }}
    />
  );
}

const NONE: never[] = [];

import { Suspense } from 'react';
import { lazyPart } from '../../../ui/load/lazyPart.ts';
import type { NodeSamples } from '../editing/useNodeSamples.ts';
import { SampleField } from '../expression/SampleField.tsx';

const SamplesInForce = lazyPart(() => import('./SamplesInForce.tsx'), 'SamplesInForce');

interface ChosenValuesProps {
  /** Undefined if there are no executions to choose from, or the user may not read them. */
  workflowId: string | undefined;
  wanted: string | undefined;
  samples: NodeSamples;
  hasExecution: boolean;
  onChange: (executionId: string) => void;
}

/** The values of previews: those of the chosen execution, and samples that replace them. */
export function ChosenValues({ workflowId, wanted, samples, hasExecution, onChange }: ChosenValuesProps) {
  const hasSamples = Object.keys(samples.values).length > 0;
  return (
    <div className="editor-values">
      {workflowId !== undefined && (
        <SampleField {...{ workflowId, value: wanted, onChange }} describedBy={hasSamples ? DESCRIPTION : undefined} />
      )}
      <Suspense fallback={null}>
        {hasSamples && <SamplesInForce id={DESCRIPTION} samples={samples} hasExecution={hasExecution} />}
      </Suspense>
    </div>
  );
}

const DESCRIPTION = 'samples-in-force';

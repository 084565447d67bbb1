import { useQuery } from '@tanstack/react-query';
import { recentExecutions } from '../editing/queries.ts';
import type { Sample } from '../model/scopeOf.ts';
import { sample as sampleQuery } from './queries.ts';
import { NO_SAMPLE } from './SampleField.tsx';

interface ChosenSample {
  wanted: string | undefined;
  sample: Sample | undefined;
  hasRun: boolean | undefined;
}

/** Returns the execution whose values previews use. `workflowId`: undefined for a new workflow. */
export function useSample(workflowId: string | undefined, chosen: string | undefined, mayRead: boolean): ChosenSample {
  const recent = useQuery({ ...recentExecutions(workflowId ?? ''), enabled: workflowId !== undefined && mayRead });
  const wanted = chosen ?? recent.data?.[0]?.id;
  const { data: sample } = useQuery({
    ...sampleQuery(wanted ?? ''),
    enabled: wanted !== undefined && wanted !== NO_SAMPLE && mayRead,
  });
  const runs = workflowId === undefined ? 0 : recent.data?.length;
  return { wanted, sample, hasRun: !mayRead || runs === undefined ? undefined : runs > 0 };
}

import { useQuery } from '@tanstack/react-query';
import { recentExecutions } from '../editing/queries.ts';
import type { Sample } from '../model/scopeOf.ts';
import { sample as sampleQuery } from './queries.ts';
import { NO_SAMPLE } from './SampleField.tsx';

interface ChosenSample {
  /** Its execution: that of the address, or the newest. */
  wanted: string | undefined;
  sample: Sample | undefined;
  /** Whether there is an execution to choose; undefined where that is not known. */
  hasRun: boolean | undefined;
}

/** The execution whose values the expressions of a workflow are shown with. `workflowId`: undefined for a new one. */
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

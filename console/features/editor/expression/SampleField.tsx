import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useAbsoluteTime } from '../../../ui/time/useAbsoluteTime.ts';
import { WORDS } from '../../../ui/words/words.ts';
import { recentExecutions } from '../../executions/queries/executions.ts';
import { sample as sampleQuery } from '../editing/queries.ts';
import type { Sample } from '../model/scopeOf.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR.sample;
/** Address value for no execution. */
const NO_SAMPLE = 'none';

/** Selects the execution whose values previews use; by default the newest. */
export function SampleField({
  workflowId,
  value,
  describedBy,
  onChange,
}: {
  workflowId: string;
  value: string | undefined;
  /** Id of the text about samples that replace these values. */
  describedBy: string | undefined;
  onChange: (executionId: string) => void;
}) {
  const absoluteTime = useAbsoluteTime();
  const { data = [] } = useQuery(recentExecutions(workflowId));
  const isListed = value === undefined || value === NO_SAMPLE || data.some(({ id }) => id === value);
  return (
    <NativeSelect
      size="xs"
      label={words.label}
      aria-describedby={describedBy}
      data={[
        { value: NO_SAMPLE, label: data.length === 0 ? words.empty : words.none },
        ...(isListed ? [] : [{ value, label: value }]),
        ...data.map(({ id, executionNumber, status, startedAt }) => ({
          value: id,
          label: words.option(executionNumber ?? 0, WORDS.status[status ?? 'PENDING'], absoluteTime(startedAt)),
        })),
      ]}
      value={value ?? NO_SAMPLE}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

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

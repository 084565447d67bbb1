import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useAbsoluteTime } from '../../../ui/time/useAbsoluteTime.ts';
import { WORDS } from '../../../ui/words/words.ts';
import { recentExecutions } from '../editing/queries.ts';
import { EDITOR } from '../words/editor.ts';

const words = EDITOR.sample;
/** Address value for no execution. */
export const NO_SAMPLE = 'none';

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

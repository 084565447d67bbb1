import type { Answer } from 'perdure-client';
import { EXECUTION_STATUSES } from '../../../domain/execution/status.ts';
import { StatusChips } from '../../app/lists/StatusChips.tsx';
import { WORDS } from '../../ui/words/words.ts';

interface ExecutionChipsProps {
  counts: Answer<'countExecutions'> | undefined;
  /** Statuses, comma separated; empty: all. */
  status: string;
  onChange: (status: string | undefined) => void;
}

export function ExecutionChips(props: ExecutionChipsProps) {
  return (
    <StatusChips
      label={WORDS.executions.columns.status}
      all={WORDS.executions.anyStatus}
      statuses={EXECUTION_STATUSES}
      words={WORDS.status}
      hidesEmpty
      {...props}
    />
  );
}

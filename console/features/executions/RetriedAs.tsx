import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ExecutionRow } from './queries/executions.ts';
import { EXECUTION } from './words.ts';

export function RetriedAs({ retry: { id, number } }: { retry: NonNullable<ExecutionRow['retriedBy']> }) {
  return (
    <Anchor component={Link} to={`/executions/${id}`} inherit underline="always">
      {EXECUTION.retriedAs(number)}
    </Anchor>
  );
}

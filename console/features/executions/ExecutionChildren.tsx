import { useInfiniteQuery } from '@tanstack/react-query';
import { Listing } from '../../ui/table/Listing.tsx';
import { ExecutionTable } from './ExecutionTable.tsx';
import { executionPages } from './queries/executions.ts';
import { EXECUTION } from './words.ts';

export function ExecutionChildren({ executionId }: { executionId: string }) {
  const pages = useInfiniteQuery(executionPages(`parentExecutionId:${executionId}`));
  return (
    <Listing pages={pages} empty={EXECUTION.noChildren}>
      <ExecutionTable rows={pages.data?.pages.flatMap(({ rows }) => rows) ?? []} />
    </Listing>
  );
}

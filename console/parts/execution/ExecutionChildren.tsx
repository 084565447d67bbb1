import { useInfiniteQuery } from '@tanstack/react-query';
import { executionPages } from '../../data/executions.ts';
import { EXECUTION } from '../../words/en/execution.ts';
import { Listing } from '../table/Listing.tsx';
import { ExecutionTable } from './ExecutionTable.tsx';

/** The executions that one has started, the newest first. */
export function ExecutionChildren({ executionId }: { executionId: string }) {
  const pages = useInfiniteQuery(executionPages(`parentExecutionId:${executionId}`));
  return (
    <Listing pages={pages} empty={EXECUTION.noChildren}>
      <ExecutionTable rows={pages.data?.pages.flatMap(({ rows }) => rows) ?? []} />
    </Listing>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { executionPages } from '../data/executions.ts';
import { WORDS } from '../words/en.ts';
import { ExecutionTable } from './ExecutionTable.tsx';
import { Listing } from './Listing.tsx';

/** The executions that one has started, the newest first. */
export function ExecutionChildren({ executionId }: { executionId: string }) {
  const pages = useInfiniteQuery(executionPages(`parentExecutionId:${executionId}`));
  return (
    <Listing pages={pages} empty={WORDS.execution.noChildren}>
      <ExecutionTable rows={pages.data?.pages.flatMap(({ rows }) => rows) ?? []} />
    </Listing>
  );
}

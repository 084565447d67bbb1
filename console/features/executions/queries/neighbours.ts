import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { RowPage } from '../../../app/api/pages.ts';

/** Returns the previous (-1) or next (1) execution in the list shown last; undefined beyond the loaded rows. */
export function neighbourOf(queries: QueryClient, executionId: string, by: 1 | -1): string | undefined {
  const lists = queries
    .getQueryCache()
    .findAll({ queryKey: ['listExecutions'] })
    .sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
  for (const { state } of lists) {
    const { pages } = (state.data ?? {}) as Partial<InfiniteData<RowPage<{ id: string }>>>;
    const rows = pages?.flatMap((page) => page.rows) ?? [];
    const at = rows.findIndex(({ id }) => id === executionId);
    if (at >= 0) return rows[at + by]?.id;
  }
  return undefined;
}

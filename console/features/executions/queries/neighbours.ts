import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { RowPage } from '../../../app/api/pages.ts';

/**
 * The execution before (-1) or behind (1) this one in the list in which a person has seen it last; undefined where there is
 * none, as behind the last row that was loaded.
 */
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

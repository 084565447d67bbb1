import {
  KEEPING_NOTHING,
  type Keeping,
  keptByRetry,
  type RetryRequest,
  rulesOfRetry,
} from '../../domain/execution/executionRetry.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { Database } from '../../prisma/client.ts';
import { readReopenedLoops } from '../../prisma/store/execution/readReopenedLoops.ts';
import type { RetrySource } from '../../prisma/store/execution/readRetrySource.ts';

/** What a retry of an execution takes over. Throws a Problem where it is refused. */
export async function keepingOf(
  database: Database,
  workspaceId: string,
  source: RetrySource,
  request: RetryRequest,
  { before, after }: { before: CompiledDefinition; after: CompiledDefinition },
): Promise<Keeping> {
  const found = rulesOfRetry(source, request, before, after);
  if (!found) return KEEPING_NOTHING;
  const { rules, reachesInside } = found;
  const failedItems = request.failedItems !== undefined;
  const reopened = reachesInside
    ? await readReopenedLoops(database, workspaceId, source.executionId, rules, failedItems)
    : new Set<string>();
  return keptByRetry(source, request, before, after, found, reopened);
}

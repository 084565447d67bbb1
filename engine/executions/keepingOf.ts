import type { Config } from '../../config.ts';
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
import { takeOver } from './takeOver.ts';

interface Parts {
  database: Database;
  config: Pick<Config, 'RETRY_BATCH_ITERATIONS'>;
}

/**
 * What a retry of an execution takes over. One that ended while it still took over itself does so to its end first: otherwise what it
 * lacks would run again. Throws a Problem where it is refused.
 */
export async function keepingOf(
  parts: Parts,
  workspaceId: string,
  source: RetrySource,
  request: RetryRequest,
  { before, after }: { before: CompiledDefinition; after: CompiledDefinition },
): Promise<Keeping> {
  const { executionId, takesOver } = source;
  const found = rulesOfRetry(source, request, before, after);
  if (!found) return KEEPING_NOTHING;
  if (takesOver) await takeOver(parts, { workspaceId, executionId });
  const { rules, reachesInside } = found;
  const failedItems = request.failedItems !== undefined;
  const reopened = reachesInside
    ? await readReopenedLoops(parts.database, workspaceId, executionId, rules, failedItems)
    : new Set<string>();
  return keptByRetry(source, request, before, after, found, reopened);
}

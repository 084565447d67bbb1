import type { Config } from '../../config.ts';
import {
  KEEPING_NOTHING,
  type Keeping,
  keptByRetry,
  type RetryRequest,
  type RetryRules,
  rulesOfRetry,
  withoutNodes,
} from '../../domain/execution/executionRetry.ts';
import { notReusable } from '../../domain/execution/retryReuse.ts';
import { isEqualJson } from '../../domain/isEqualJson.ts';
import type { Json } from '../../domain/json.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { Database } from '../../prisma/client.ts';
import { readReopenedLoops } from '../../prisma/store/execution/readReopenedLoops.ts';
import type { RetrySource } from '../../prisma/store/execution/readRetrySource.ts';
import { type ReuseParts, unusableUnderInput } from './reuseUnderInput.ts';
import { takeOver } from './takeOver.ts';

interface Parts {
  database: Database;
  config: Pick<Config, 'RETRY_BATCH_ITERATIONS'>;
}

export interface ChangedInput {
  parts: ReuseParts;
  trigger: Json | undefined;
}

/**
 * If the retried execution ended while it was copying steps itself, completes that first, or the missing steps would
 * run again. Throws a Problem if the retry is refused.
 */
export async function retrySelection(
  parts: Parts,
  workspaceId: string,
  source: RetrySource,
  request: RetryRequest,
  { before, after }: { before: CompiledDefinition; after: CompiledDefinition },
  changed?: ChangedInput,
): Promise<Keeping> {
  const { executionId, takesOver } = source;
  const found = rulesOfRetry(source, request, before, after);
  if (!found) return KEEPING_NOTHING;
  if (takesOver) await takeOver(parts, { workspaceId, executionId });
  const failedItems = request.failedItems !== undefined;
  const keptBy = async (retryRules: RetryRules) => {
    const reopened = retryRules.reachesInside
      ? await readReopenedLoops(parts.database, workspaceId, executionId, retryRules.rules, failedItems)
      : new Set<string>();
    return keptByRetry(source, request, before, after, retryRules, reopened);
  };
  const keeping = await keptBy(found);
  const { fromStep } = request;
  if (!changed || fromStep === undefined || changed.trigger === undefined) return keeping;
  if (isEqualJson(changed.trigger, source.trigger)) return keeping;
  const trigger = { before: source.trigger, after: changed.trigger };
  const of = { workspaceId, executionId, definition: after, fromStep, keeping, trigger };
  const unusable = await unusableUnderInput(changed.parts, of);
  if (unusable.before.size > 0) throw notReusable(unusable.before);
  return unusable.others.length === 0 ? keeping : keptBy(withoutNodes(after.plan, found, unusable.others));
}

import type { Config } from '../../config.ts';
import type { Database } from '../../prisma/client.ts';
import { takeOverBatch } from '../../prisma/store/execution/takeOverBatch.ts';

interface Parts {
  database: Database;
  config: Pick<Config, 'RETRY_BATCH_ITERATIONS'>;
}

/** Copies ended iterations for a retry, for `ms` plus at most one batch. Returns whether more are left. */
export async function takeOver(
  { database, config }: Parts,
  { workspaceId, executionId }: { workspaceId: string; executionId: string },
  ms = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const until = performance.now() + ms;
  do {
    if (!(await takeOverBatch(database, workspaceId, executionId, config.RETRY_BATCH_ITERATIONS))) return false;
  } while (performance.now() < until);
  return true;
}

import type { Config } from '../../config.ts';
import {
  KEEPING_NOTHING,
  type Keeping,
  keptByRetry,
  type RetryRequest,
  rulesOfRetry,
} from '../../domain/execution/executionRetry.ts';
import { Problem } from '../../domain/problem.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { Database } from '../../prisma/client.ts';
import { countEndedIterations } from '../../prisma/store/execution/countEndedIterations.ts';
import { readReopenedLoops } from '../../prisma/store/execution/readReopenedLoops.ts';
import type { RetrySource } from '../../prisma/store/execution/readRetrySource.ts';

interface Parts {
  database: Database;
  /** `RETRY_MAX_ITERATIONS` */
  config: Pick<Config, 'RETRY_MAX_ITERATIONS'>;
}

/** What a retry of an execution takes over. Throws a Problem where it is refused. */
export async function keepingOf(
  { database, config }: Parts,
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
  const keeping = keptByRetry(source, request, before, after, found, reopened);
  const most = config.RETRY_MAX_ITERATIONS;
  const { opened: nodeIds } = keeping;
  const count = await countEndedIterations(database, workspaceId, source.executionId, { nodeIds, most });
  if (count > most) throw tooMany(nodeIds, most);
  return keeping;
}

function tooMany(nodeIds: readonly string[], most: number): Problem {
  const loops = nodeIds.map((id) => JSON.stringify(id)).join(', ');
  return new Problem(
    'RETRY_NOT_ALLOWED',
    `More than ${most} iterations of the loops that would go on have ended (${loops}), and a retry takes over at most so many (RETRY_MAX_ITERATIONS). With loops: "again" it runs those loops as a whole, their finished iterations too`,
  );
}

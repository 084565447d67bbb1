import pMap from 'p-map';
import type { Viewer } from '../../domain/access/viewer.ts';
import { Problem } from '../../domain/problem.ts';
import { type BulkTarget, type MatchOptions, matchExecutions } from '../../prisma/store/execution/matchExecutions.ts';
import { toProblem } from '../pipeline/problem.ts';
import type { Services } from '../services.ts';

const AT_ONCE = 10;

export interface BulkFilter {
  filterBy?: string;
  includeType?: string;
  all?: boolean;
  executionIds?: string[];
  dryRun?: boolean;
}

export interface BulkAnswer {
  matched: number;
  accepted: number;
  failed: { executionId: string; code: string; message: string }[];
  /** For retries: matches with a retry that is open or COMPLETED. */
  skipped?: number;
  remaining: number;
}

export interface BulkCount {
  count: number;
  withFailedItems?: number;
}

export interface BulkAct {
  services: Services;
  viewer: Viewer;
  filter: BulkFilter;
  target: BulkTarget;
  /** A dry run reports how many have failed items. */
  countsFailedItems?: boolean;
  skipsRetried?: boolean;
  act: (executionId: string) => Promise<unknown>;
}

/** Works on the oldest starts first, at most BULK_EXECUTIONS_MAX, and past failures. Throws VALIDATION_FAILED. */
export async function bulk({
  services,
  viewer,
  filter,
  target,
  countsFailedItems = false,
  skipsRetried = false,
  act,
}: BulkAct): Promise<BulkAnswer | BulkCount> {
  requireIntent(filter);
  const most = filter.dryRun
    ? { limit: 0, countsFailedItems, skipsRetried }
    : {
        limit: filter.executionIds?.length ?? services.config.BULK_EXECUTIONS_MAX,
        countsFailedItems: false,
        skipsRetried,
      };
  const found = await match(services, viewer, filter, target, most);
  const { matched, withFailedItems, executionIds } = found;
  if (filter.dryRun) return { count: matched - found.skipped, ...(countsFailedItems ? { withFailedItems } : {}) };
  const failed: BulkAnswer['failed'] = [];
  let skipped = found.skipped;
  const actOn = async (executionId: string): Promise<void> => {
    const problem = await tried(services, executionId, act);
    // Another request has just retried it.
    if (problem?.code === 'ALREADY_RETRIED') skipped += 1;
    else if (problem) failed.push({ executionId, code: problem.code, message: problem.message });
  };
  await pMap(executionIds, actOn, { concurrency: AT_ONCE });
  const late = skipped - found.skipped;
  return {
    matched,
    accepted: executionIds.length - failed.length - late,
    failed,
    ...(skipsRetried ? { skipped } : {}),
    remaining: matched - found.skipped - executionIds.length,
  };
}

/** An empty filter must not cancel everything by accident. */
function requireIntent({ filterBy = '', all = false, executionIds }: BulkFilter): void {
  const isEmpty = filterBy.replaceAll(',', '').trim() === '';
  const given = [!isEmpty, all, executionIds !== undefined].filter(Boolean).length;
  if (given === 1) return;
  const message =
    given === 0
      ? 'expected a filter, executionIds or all: true for every execution of the workspace'
      : 'expected one of a filter, executionIds and all: true, not several';
  throw new Problem('VALIDATION_FAILED', `filterBy: ${message}`, { errors: [{ path: 'filterBy', message }] });
}

async function match(
  { database }: Services,
  viewer: Viewer,
  { filterBy, includeType, executionIds }: BulkFilter,
  target: BulkTarget,
  most: MatchOptions,
) {
  const query = {
    ...(filterBy === undefined ? {} : { filterBy }),
    ...(includeType === undefined ? {} : { includeType }),
    ...(executionIds === undefined ? {} : { executionIds }),
  };
  return matchExecutions(database, viewer, query, target, most);
}

async function tried(
  services: Services,
  executionId: string,
  act: (executionId: string) => Promise<unknown>,
): Promise<Problem | undefined> {
  try {
    await act(executionId);
    return undefined;
  } catch (error) {
    const problem = toProblem(error);
    if (problem.code === 'INTERNAL')
      services.log.error({ err: error, executionId }, 'a bulk operation failed for one execution');
    return problem;
  }
}

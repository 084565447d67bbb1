import { MAX_BUCKETS, statisticsRange } from '../../../domain/execution/statisticsRange.ts';
import { EXECUTION_STATUSES, type ExecutionStatus } from '../../../domain/execution/status.ts';
import { instantOf } from '../../../domain/instant.ts';
import { Problem } from '../../../domain/problem.ts';
import { readStatistics, type StatusCount } from '../../../prisma/store/execution/statistics.ts';
import { filterValue } from '../../../prisma/store/resourceQuery.ts';
import type { Operation } from '../../operation.ts';

export const getExecutionStatistics: Operation<'getExecutionStatistics'> = async ({ caller, query, services }) => {
  const { bucket = 'hour', groupBy, filterBy, includeType } = query;
  const range = statisticsRange(
    bucket,
    new Date(),
    timeOf(filterBy, 'startedAfter'),
    timeOf(filterBy, 'startedBefore'),
  );
  if (typeof range === 'number') throw tooMany(range, bucket);
  const { from, starts } = range;
  const asked = { bucket, groupBy, from, ...given({ filterBy, includeType }) };
  const most = services.config.EXECUTION_STATISTICS_MAX;
  const found = await readStatistics(services.database, caller, asked, most);
  const filled = new Map(found.buckets.map((each) => [Date.parse(each.start), each]));
  return {
    buckets: starts.map((start) => {
      const { counts = [], p50Ms = null, p95Ms = null } = filled.get(start.getTime()) ?? {};
      return { start: start.toISOString(), counts: allCounts(counts), p50Ms, p95Ms };
    }),
    groups: found.groups.map(({ counts, ...group }) => ({ ...group, counts: allCounts(counts) })),
    ...(found.groupsLeftOut > 0 ? { groupsLeftOut: found.groupsLeftOut } : {}),
    bounded: found.countedFrom !== null,
    ...(found.countedFrom === null ? {} : { countedFrom: found.countedFrom }),
  };
};

function given({ filterBy, includeType }: { filterBy: string | undefined; includeType: string | undefined }) {
  return {
    ...(filterBy === undefined ? {} : { filterBy }),
    ...(includeType === undefined ? {} : { includeType }),
  };
}

/** Other filters refuse an invalid time. */
function timeOf(filterBy: string | undefined, key: string): Date | undefined {
  const text = filterValue(filterBy, key);
  return text === undefined ? undefined : (instantOf(text) ?? undefined);
}

function allCounts(counts: readonly StatusCount[]): Record<ExecutionStatus, number> {
  const known = new Map(counts.map(({ status, count }) => [status, count]));
  const entries = EXECUTION_STATUSES.map((status) => [status, known.get(status) ?? 0]);
  return Object.fromEntries(entries) as Record<ExecutionStatus, number>;
}

function tooMany(count: number, bucket: string): Problem {
  const message = `the range has ${count} buckets of one ${bucket}, at most ${MAX_BUCKETS} are allowed: expected a later startedAfter`;
  return new Problem('VALIDATION_FAILED', `filterBy: ${message}`, { errors: [{ path: 'filterBy', message }] });
}

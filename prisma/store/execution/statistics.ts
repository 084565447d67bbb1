import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Bucket } from '../../../domain/execution/statisticsRange.ts';
import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';
import { checkListQuery, type ListQuery } from '../resourceQuery.ts';
import { listedRows } from '../rows.ts';
import { EXECUTION } from './resource.ts';

const GROUPINGS = ['workflow', 'errorCode', 'node'] as const;
export type Grouping = (typeof GROUPINGS)[number];

const GROUP_KEYS: Readonly<Record<Grouping, Prisma.Sql>> = {
  workflow: Prisma.sql`t.workflow_id::text`,
  errorCode: Prisma.sql`t.error_code`,
  node: Prisma.sql`t.failed_node_id`,
};

/** The name of a group, from its key and its newest execution `g.last_id`. */
const GROUP_NAMES: Readonly<Record<Grouping, Prisma.Sql>> = {
  workflow: Prisma.sql`coalesce((SELECT w.name FROM workflows w WHERE w.id = g.key::uuid),
    (SELECT d.name FROM deleted_workflows d WHERE d.id = g.key::uuid))`,
  errorCode: Prisma.sql`g.key`,
  node: Prisma.sql`(SELECT s.label FROM execution_steps s WHERE s.execution_id = g.last_id AND s.node_id = g.key LIMIT 1)`,
};

const MAX_GROUPS = 100;

export interface StatisticsQuery extends Pick<ListQuery, 'filterBy' | 'includeType'> {
  bucket: Bucket;
  groupBy?: Grouping | undefined;
  from: Date;
}

export interface StatusCount {
  status: ExecutionStatus;
  count: number;
}

export interface Statistics {
  /** Only buckets with executions. */
  buckets: { start: string; counts: StatusCount[]; p50Ms: number | null; p95Ms: number | null }[];
  groups: {
    key: string;
    name: string | null;
    counts: StatusCount[];
    p50Ms: number | null;
    p95Ms: number | null;
    lastAt: string;
  }[];
  groupsLeftOut: number;
  /** The start of the oldest counted execution, if not all are counted. */
  countedFrom: string | null;
}

/** Counts the newest `most` executions. Throws VALIDATION_FAILED. */
export async function readStatistics(
  database: Database,
  viewer: Viewer,
  { bucket, groupBy, from, ...query }: StatisticsQuery,
  most: number,
): Promise<Statistics> {
  const conditions = listedRows(EXECUTION, viewer, checkListQuery(EXECUTION, viewer, query));
  const key = groupBy ? GROUP_KEYS[groupBy] : Prisma.sql`NULL::text`;
  const name = groupBy ? GROUP_NAMES[groupBy] : Prisma.sql`NULL::text`;
  const [row] = await database.$queryRaw<Statistics[]>`
    WITH found AS MATERIALIZED (
      SELECT t.id, t.started_at, t.status, ${key} AS key,
        extract(epoch FROM t.stopped_at - t.started_at)::float8 * 1000 AS ms
      FROM executions t WHERE ${conditions} AND t.started_at >= ${from.toISOString()}::timestamptz
      ORDER BY t.started_at DESC, t.id DESC LIMIT ${most + 1}::int
    ), counted AS MATERIALIZED (
      SELECT f.*, date_trunc(${bucket}, f.started_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS start
      FROM found f ORDER BY f.started_at DESC, f.id DESC LIMIT ${most}::int
    ), bucket_counts AS (
      SELECT start, json_agg(json_build_object('status', status, 'count', count)) AS counts
      FROM (SELECT start, status, count(*)::int AS count FROM counted GROUP BY start, status) c GROUP BY start
    ), bucket_times AS (
      SELECT start, percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY ms) AS times
      FROM counted WHERE ms IS NOT NULL GROUP BY start
    ), grouped AS (
      SELECT key, sum(count)::int AS total, max(last_at) AS last_at, (array_agg(last_id ORDER BY last_at DESC))[1] AS last_id,
        json_agg(json_build_object('status', status, 'count', count)) AS counts
      FROM (
        SELECT key, status, count(*)::int AS count, max(started_at) AS last_at,
          (array_agg(id ORDER BY started_at DESC))[1] AS last_id
        FROM counted WHERE key IS NOT NULL GROUP BY key, status
      ) c GROUP BY key
    ), group_times AS (
      SELECT key, percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY ms) AS times
      FROM counted WHERE key IS NOT NULL AND ms IS NOT NULL GROUP BY key
    ), top_groups AS (
      SELECT g.*, ${name} AS name FROM (
        SELECT * FROM grouped ORDER BY total DESC, last_at DESC, key LIMIT ${MAX_GROUPS}::int
      ) g
    )
    SELECT
      (SELECT coalesce(json_agg(json_build_object('start', ${isoTime(Prisma.sql`b.start`)}, 'counts', b.counts,
        'p50Ms', round(x.times[1]), 'p95Ms', round(x.times[2])) ORDER BY b.start), '[]')
        FROM bucket_counts b LEFT JOIN bucket_times x USING (start)) AS buckets,
      (SELECT coalesce(json_agg(json_build_object('key', g.key, 'name', g.name, 'counts', g.counts,
        'p50Ms', round(x.times[1]), 'p95Ms', round(x.times[2]), 'lastAt', ${isoTime(Prisma.sql`g.last_at`)})
        ORDER BY g.total DESC, g.last_at DESC, g.key), '[]')
        FROM top_groups g LEFT JOIN group_times x USING (key)) AS groups,
      (SELECT greatest(0, count(*) - ${MAX_GROUPS}::int)::int FROM grouped) AS "groupsLeftOut",
      (SELECT ${isoTime(Prisma.sql`min(c.started_at)`)} FROM counted c
        WHERE (SELECT count(*) FROM found) > ${most}::int) AS "countedFrom"`;
  if (!row) throw new Error('an aggregate without a row');
  return row;
}

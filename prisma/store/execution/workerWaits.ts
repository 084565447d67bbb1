import { type TaskKind, workerCallKey } from '../../../domain/app/workerTask.ts';
import type { StepRecord } from '../../../domain/execution/stepRecord.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { TOKEN_LIFE_MS } from '../connection/credentialTokens.ts';
import { ago, type DueCondition, inBuckets } from '../dueRows.ts';

export const NO_WORKER_POLLS = 'no worker polls ';

export function noWorkerPolls(taskQueue: string): string {
  return `${NO_WORKER_POLLS}${taskQueue}`;
}

/** The queue without a worker on which step `s` waits. */
export const AWAITED_QUEUE = Prisma.sql`CASE WHEN s.status = 'WAITING' THEN s.task_queue END`;

/** A FROM with its WHERE: steps of execution `t` that wait for a worker. */
export const WORKER_WAITS_OF_EXECUTION = Prisma.sql`execution_steps s
  WHERE s.execution_id = t.id AND s.status = 'WAITING' AND s.task_queue IS NOT NULL`;

/** The exact condition of execution_steps_on_workers_idx. */
const ON_WORKERS = Prisma.sql`s.task_queue IS NOT NULL AND s.status IN ('RUNNING', 'WAITING')`;

/** A younger call usually reaches its worker meanwhile. */
const isSettled = (ageMs: number) => Prisma.sql`coalesce(s.attempt_started_at, s.started_at) <= ${ago(ageMs)}`;

export const anyOnWorkers = (ageMs: number, buckets: readonly number[]): DueCondition =>
  Prisma.sql`EXISTS (SELECT FROM execution_steps s
    WHERE ${ON_WORKERS} AND ${isSettled(ageMs)} AND ${inBuckets(buckets, Prisma.sql`s.workspace_id`)})`;

export interface WatchedQueue {
  taskQueue: string;
  kind: TaskKind;
  /** Whether steps are shown as waiting, and as running. */
  hasWaiting: boolean;
  hasRunning: boolean;
}

/** Returns the queues on which steps of these buckets wait or run. */
export function watchedQueues(database: Database, ageMs: number, buckets: readonly number[]): Promise<WatchedQueue[]> {
  return rowsOf<WatchedQueue>(
    database,
    Prisma.sql`
    SELECT s.task_queue AS "taskQueue", s.task_kind AS kind, bool_or(s.status = 'WAITING') AS "hasWaiting",
      bool_or(s.status = 'RUNNING' AND ${isSettled(ageMs)}) AS "hasRunning"
    FROM execution_steps s WHERE ${ON_WORKERS} AND ${inBuckets(buckets, Prisma.sql`s.workspace_id`)}
    GROUP BY s.task_queue, s.task_kind`,
  );
}

type StepRow = Required<Pick<StepRecord, 'id' | 'nodeId' | 'iteration' | 'label' | 'type' | 'attempt'>> & {
  workspaceId: string;
  executionId: string;
  appId: string | null;
  actionId: string | null;
  taskHost: string | null;
};

export interface StepOnWorker {
  workspaceId: string;
  executionId: string;
  /** The Temporal workflow that made the call. */
  host: string;
  /** workerCallKey. */
  key: string;
  /** To be written with another status. */
  record: StepRecord;
}

/** Returns the oldest steps on a queue in one status. */
export async function stepsOnQueue(
  database: Database,
  { taskQueue, kind }: Pick<WatchedQueue, 'taskQueue' | 'kind'>,
  status: 'RUNNING' | 'WAITING',
  { ageMs, buckets, limit }: { ageMs: number; buckets: readonly number[]; limit: number },
): Promise<StepOnWorker[]> {
  const rows = await rowsOf<StepRow>(
    database,
    Prisma.sql`
    SELECT s.workspace_id AS "workspaceId", s.execution_id AS "executionId", s.id, s.node_id AS "nodeId", s.iteration,
      s.label, s.type, s.attempt, s.app_id AS "appId", s.action_id AS "actionId", s.task_host AS "taskHost"
    FROM execution_steps s
    WHERE ${ON_WORKERS} AND s.task_queue = ${taskQueue} AND s.task_kind = ${kind} AND s.status = ${status}
      AND ${isSettled(ageMs)} AND ${inBuckets(buckets, Prisma.sql`s.workspace_id`)}
    ORDER BY s.position LIMIT ${limit}::int`,
  );
  return rows.map(({ workspaceId, executionId, appId, actionId, taskHost, ...row }) => ({
    workspaceId,
    executionId,
    host: taskHost ?? executionId,
    key: workerCallKey(row.iteration, row.nodeId, row.attempt),
    record: {
      ...row,
      status,
      taskQueue,
      taskKind: kind,
      ...(appId === null ? {} : { appId }),
      ...(actionId === null ? {} : { actionId }),
      ...(taskHost === null ? {} : { taskHost }),
    },
  }));
}

/** Tokens do not age while their step waits for a worker: from its end on they have their whole life. */
export async function renewToken(database: Database, { workspaceId, executionId, record }: StepOnWorker) {
  const { nodeId, iteration } = record;
  // Raw: the database's clock.
  await database.$executeRaw`
    UPDATE credential_tokens SET expires_at = now() + make_interval(secs => ${TOKEN_LIFE_MS / 1_000})
    WHERE execution_id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND node_id = ${nodeId}
      AND iteration = ${iteration}`;
}

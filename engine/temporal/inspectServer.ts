import { randomUUID } from 'node:crypto';
import { isGrpcServiceError } from '@temporalio/client';
import type { TemporalParts } from './connectTemporal.ts';
import { namespaceRetentionDays } from './namespaceRetention.ts';
import { missingSearchAttributes } from './searchAttributes.ts';

/** Facts about a Temporal server. Undefined: it does not report the value, or not to us. */
export interface ServerFacts {
  version: string | undefined;
  hasNamespace: boolean;
  retentionDays: number | undefined;
  /** Processes that have polled for workflow tasks lately. */
  workers: number;
  missingAttributes: string[] | undefined;
  /** Partitions of the task queue, set by dynamic configuration. */
  partitions: number | undefined;
  /** Delay of timers in milliseconds, set by dynamic configuration. */
  timersLateMs: number | undefined;
}

type Service = TemporalParts['client']['workflowService'];

const NOT_FOUND = 5;
/** A poll lasts at most a minute. */
const POLLER_SILENCE_MS = 90_000;

/** Throws if the server does not answer at all. */
export async function inspectServer({ client, namespace }: TemporalParts, taskQueue: string): Promise<ServerFacts> {
  const service = client.workflowService;
  const { serverVersion } = await service.getSystemInfo({});
  const version = serverVersion || undefined;
  const known = await service.describeNamespace({ namespace }).then(
    () => true,
    (error: unknown) => {
      if (isGrpcServiceError(error)) return error.code !== NOT_FOUND;
      throw error;
    },
  );
  const none = { retentionDays: undefined, workers: 0, missingAttributes: undefined };
  if (!known) return { version, hasNamespace: false, ...none, partitions: undefined, timersLateMs: undefined };
  const { pollers } = await service.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType: 1 });
  const recent = (pollers ?? []).filter(
    ({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < POLLER_SILENCE_MS,
  );
  return {
    version,
    hasNamespace: true,
    retentionDays: await namespaceRetentionDays(client, namespace),
    workers: new Set(recent.map(({ identity }) => identity)).size,
    missingAttributes: await unlessRefused(() => missingNames(client, namespace)),
    partitions: await unlessRefused(() => partitionsOf(service, namespace, taskQueue)),
    timersLateMs: await unlessRefused(() => leastLateMs(service, namespace)),
  };
}

async function missingNames(client: TemporalParts['client'], namespace: string): Promise<string[]> {
  const missing = await missingSearchAttributes(client, namespace);
  return missing.map(({ name }) => name);
}

async function partitionsOf(service: Service, namespace: string, name: string): Promise<number | undefined> {
  const { workflowTaskQueuePartitions } = await service.listTaskQueuePartitions({ namespace, taskQueue: { name } });
  return workflowTaskQueuePartitions?.length || undefined;
}

const DELAY_MS = 100;
const TRIES = 3;

/** Returns the minimum of several attempts, because a busy machine delays timers too. */
async function leastLateMs(service: Service, namespace: string): Promise<number> {
  const tries: number[] = [];
  for (let made = 0; made < TRIES; made += 1) tries.push(await timersLateMs(service, namespace));
  return Math.min(...tries);
}

/** Measures when a delayed workflow on its own task queue gets its first task, then terminates it. */
async function timersLateMs(service: Service, namespace: string): Promise<number> {
  const [workflowId, identity] = [randomUUID(), 'perdure-doctor'];
  const taskQueue = { name: `${identity}-${workflowId}` };
  const task = service.pollWorkflowTaskQueue({ namespace, taskQueue, identity });
  const startedAt = performance.now();
  await service.startWorkflowExecution({
    ...{ namespace, workflowId, taskQueue, identity },
    requestId: randomUUID(),
    workflowType: { name: identity },
    workflowStartDelay: { nanos: DELAY_MS * 1_000_000 },
    workflowExecutionTimeout: { seconds: 60 as never },
  });
  try {
    await task;
    return Math.max(performance.now() - startedAt - DELAY_MS, 0);
  } finally {
    await service.terminateWorkflowExecution({ namespace, workflowExecution: { workflowId }, identity });
  }
}

/** Managed servers answer some requests only for their owners. */
async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isGrpcServiceError(error)) return undefined;
    throw error;
  }
}

import type { WorkerOptions } from '@temporalio/worker';

/** Limits of a worker, measured on two cores (docs/architecture.md, "Where the time goes"). */
export const tuning = {
  maxConcurrentLocalActivityExecutions: 200,
  maxConcurrentWorkflowTaskExecutions: 100,
  maxCachedWorkflows: 1_000,
  // A cancellation reaches an activity with the answer to its heartbeat; a shorter activity sends none.
  maxHeartbeatThrottleInterval: '400 milliseconds',
  defaultHeartbeatThrottleInterval: '400 milliseconds',
} as const satisfies Partial<WorkerOptions>;

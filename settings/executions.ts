import { z } from 'zod';
import { DEFAULT_READ_LIMITS } from '../domain/execution/readLimits.ts';
import { bytes, count, ms } from './values.ts';

export const EXECUTION_SETTINGS = {
  MAX_DEFINITION_BYTES: bytes
    .max(1_048_576)
    .default(262_144)
    .describe(
      'Maximum size of the definition of a workflow, as JSON; at most 1 MiB, since its plan is the argument of a Temporal workflow, which may have 2 MB.',
    ),
  MAX_BUNDLE_RESOURCES: z.coerce
    .number()
    .int()
    .positive()
    .max(10_000)
    .default(2_000)
    .describe('Maximum resources of one bundle that is applied to a project.'),
  MAX_DEFINITION_NODES: z.coerce
    .number()
    .int()
    .positive()
    .max(5_000)
    .default(1_000)
    .describe('Maximum nodes of a workflow; at most 5,000, for the same reason.'),
  MAX_DEFINITION_EXPRESSIONS: count
    .default(131_072)
    .describe(
      'Maximum characters of the expressions of a workflow. Equal expressions count once, and each adds 5: compiling a thousand characters takes milliseconds.',
    ),
  MAX_OUTPUT_BYTES: bytes
    .default(10_485_760)
    .describe('Maximum output of one step, and maximum bytes of the values that its expressions return.'),
  EXPRESSION_TIMEOUT_MS: ms
    .max(60_000)
    .default(1_000)
    .describe(
      'Maximum time of one evaluation: all expressions of a step, the key of a delivery, or the rules of an entity. A longer one fails with `EXPRESSION_LIMIT`.',
    ),
  EXPRESSION_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .default(2)
    .describe('Threads of a process for evaluations that take more than a few milliseconds.'),
  MAX_INLINE_OUTPUT_BYTES: bytes
    .default(DEFAULT_READ_LIMITS.inlineBytes)
    .describe(
      'Maximum input or output of a step that reads and streams contain, and maximum output of an execution in lists and streams; larger values are replaced by links.',
    ),
  EXECUTION_PATH_ITERATIONS: count
    .default(DEFAULT_READ_LIMITS.pathIterations)
    .describe('Number of newest iterations whose steps `executionPath` contains; the list of steps contains all.'),
  EXECUTION_PATH_STEPS: count
    .default(DEFAULT_READ_LIMITS.pathSteps)
    .describe('Number of newest steps inside loops in which `executionPath` looks for these iterations.'),
  EXECUTION_PATH_BYTES: bytes
    .default(DEFAULT_READ_LIMITS.pathBytes)
    .describe(
      'Maximum bytes of inputs, outputs and consoles in one read of steps; values of older steps are replaced by links.',
    ),
  RETRY_BATCH_ITERATIONS: count
    .default(1_000)
    .describe(
      'Ended iterations that one statement copies for a retry, in about 0.1 to 0.2 seconds for a thousand with two steps each. The first ones are copied when the retry is accepted, the others when it begins.',
    ),
  MAX_COMPARED_STEPS: count
    .default(2_000)
    .describe(
      'Maximum steps whose inputs a retry with another input compares. If more steps read the input, none of their nodes is reused: a retry that needs one of them is refused.',
    ),
  STARTS_IN_FLIGHT: count
    .default(60)
    .describe(
      'Maximum start calls that a process has in flight at the Temporal server, counting started executions that no worker has begun; one workspace gets at most half. Fewer are in flight while the server is slow or unavailable; further starts wait in the admission queue, where workspaces take turns.',
    ),
  ACTIONS_AT_ONCE: count
    .default(200)
    .describe(
      'Remote actions that a worker runs concurrently; one workspace gets at most half. The worker runs the same number again from the overflow queue.',
    ),
  WAITS_AT_ONCE: count
    .default(200)
    .describe(
      'Waits for turns of agents, and for executions that others have started, that a worker holds concurrently; one workspace gets at most half. Further ones are checked every few seconds, at most 15, and use no slot of the worker in between.',
    ),
  NODE_TESTS_AT_ONCE: count
    .default(20)
    .describe(
      'Node tests that an API process runs concurrently; one workspace gets at most half. Further tests wait for up to SYNC_RUN_TIMEOUT_MS, then get 429.',
    ),
  NODE_TESTS_WAITING: count
    .default(200)
    .describe('Node tests that wait in an API process; one workspace gets at most half. Further tests get 429.'),
  SYNC_RUN_TIMEOUT_MS: ms
    .default(60_000)
    .describe('Time that runs and synchronous webhooks wait for the end of their execution.'),
  CANCEL_WAIT_MS: ms
    .default(5_000)
    .describe('Time that `cancel` waits for the end of the execution before it answers with the current status.'),
  ACTION_TIMEOUT_MS: ms
    .default(600_000)
    .describe('Timeout of one attempt of a remote action if neither the node nor the action sets one.'),
  REGION_BUDGET_MS: ms
    .default(2_000)
    .describe('Time after which an activity that runs inline nodes stops and hands back to its workflow.'),
  GROUP_WRITE_MAX: count
    .default(100)
    .describe('Maximum writes of parallel iterations of one execution that one statement combines.'),
  GROUP_WRITE_MAX_BYTES: bytes
    .default(1_048_576)
    .describe('Maximum bytes of writes that one statement combines; a larger write is sent alone.'),
  GROUP_WRITE_GATHER_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(50)
    .describe(
      'Maximum time that a write waits for others to combine with, if the previous statement combined several.',
    ),
  LOOP_CONTEXT_CACHE_BYTES: bytes
    .default(33_554_432)
    .describe(
      'Cache of a worker for the context that iterations of a running loop share; one loop uses at most half. A second cache of this size holds the items of loops inside regions.',
    ),
  WORKER_LOST_TRIES: z.coerce
    .number()
    .int()
    .min(2)
    .default(3)
    .describe('Workers that may die during one attempt of a step before the step fails with WORKER_LOST.'),
  INTERNAL_FAILURE_TRIES: count
    .default(10)
    .describe(
      'Tries of a step, or of an end, that fails in our own code before it fails with INTERNAL. From the third on, tries are 1 to 30 s apart; failures because the database is unavailable do not count.',
    ),
  RECONCILE_INTERVAL_MS: ms.default(3_000).describe("Pause between the reconciler's passes."),
  SWEEP_INTERVAL_MS: ms
    .default(60_000)
    .describe(
      'Pause between two sweeps, which delete what has expired or is older than its retention. A row that may not be deleted yet is checked once an hour.',
    ),
  EXECUTION_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(0)
    .describe(
      'Days after which ended executions and all their data are deleted; 0 keeps them. Keep it at least as long as the retention of the Temporal namespace: if Temporal still knows a deleted execution, a new start with its id would take over its result, and workers log a warning.',
    ),
};

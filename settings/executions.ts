import { z } from 'zod';
import { DEFAULT_READ_LIMITS } from '../domain/execution/readLimits.ts';
import { bytes, count, ms } from './values.ts';

export const EXECUTION_SETTINGS = {
  MAX_DEFINITION_BYTES: bytes
    .max(1_048_576)
    .default(262_144)
    .describe(
      'Largest definition of a workflow, as JSON; at most 1 MiB, since its plan is the argument of a Temporal workflow, which may have 2 MB.',
    ),
  MAX_BUNDLE_RESOURCES: z.coerce
    .number()
    .int()
    .positive()
    .max(10_000)
    .default(2_000)
    .describe('Most resources of one bundle that is applied to a project.'),
  MAX_DEFINITION_NODES: z.coerce
    .number()
    .int()
    .positive()
    .max(5_000)
    .default(1_000)
    .describe('Most nodes of a workflow; at most 5,000, for the same reason.'),
  MAX_DEFINITION_EXPRESSIONS: count
    .default(131_072)
    .describe(
      'Most characters of the expressions of a workflow, equal ones counted once and 5 added for each: compiling them takes milliseconds for each thousand.',
    ),
  MAX_OUTPUT_BYTES: bytes
    .default(10_485_760)
    .describe('Largest output of one step, and most bytes of the values that its expressions give.'),
  EXPRESSION_TIMEOUT_MS: ms
    .max(60_000)
    .default(1_000)
    .describe(
      'Time of one evaluation: all expressions of a step, the key of a delivery, the rules of an entity. Beyond it fails with `EXPRESSION_LIMIT`.',
    ),
  EXPRESSION_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .default(2)
    .describe('Threads of a process for evaluations that take more than some milliseconds.'),
  MAX_INLINE_OUTPUT_BYTES: bytes
    .default(DEFAULT_READ_LIMITS.inlineBytes)
    .describe(
      'Largest input or output of a step that reads and streams contain, and largest output of an execution in lists and streams; larger values are replaced by links.',
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
      'Most bytes of inputs, outputs and consoles in one read of steps; values of older steps are replaced by links.',
    ),
  RETRY_BATCH_ITERATIONS: count
    .default(1_000)
    .describe(
      'Ended iterations that one statement takes over for a retry, in about 0.1 to 0.2 seconds for a thousand with two steps each. The first of them as the retry is accepted, the others as it begins.',
    ),
  MAX_COMPARED_STEPS: count
    .default(2_000)
    .describe(
      'Most steps whose inputs a retry with another input compares. If more steps read the input, none of their nodes is reused: a retry that needs one of them is refused.',
    ),
  STARTS_IN_FLIGHT: count
    .default(60)
    .describe(
      'Start calls that a process has in flight at the Temporal server at most, and started executions that no worker has begun; one workspace takes at most half. Fewer are in flight while the server is slow or away. Further starts wait in the admission queue and are made in turn by workspace.',
    ),
  ACTIONS_AT_ONCE: count
    .default(200)
    .describe(
      'Remote actions that a worker runs at once; one workspace takes at most half. The worker runs as many again from the overflow queue.',
    ),
  WAITS_AT_ONCE: count
    .default(200)
    .describe(
      'Waits for turns of agents, and for executions that others have started, that a worker holds at once; one workspace takes at most half. Further ones look again every some seconds, up to 15, and take no slot of the worker in between.',
    ),
  NODE_TESTS_AT_ONCE: count
    .default(20)
    .describe(
      'Node tests that an API process runs at once; one workspace takes at most half. Further tests wait in line for up to SYNC_RUN_TIMEOUT_MS, then get 429.',
    ),
  NODE_TESTS_WAITING: count
    .default(200)
    .describe(
      'Node tests that wait in line in an API process; one workspace takes at most half. Further tests get 429.',
    ),
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
    .describe('Most writes of parallel iterations of one execution that one statement combines.'),
  GROUP_WRITE_MAX_BYTES: bytes
    .default(1_048_576)
    .describe('Most bytes of writes that one statement combines; a larger write goes alone.'),
  GROUP_WRITE_GATHER_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(50)
    .describe(
      'Longest time that a write waits for others to combine with, if the statement before it combined several.',
    ),
  LOOP_CONTEXT_CACHE_BYTES: bytes
    .default(33_554_432)
    .describe(
      'Cache of a worker for the context that iterations of a running loop share; one loop takes at most half. A second cache of this size holds the items of loops inside regions.',
    ),
  WORKER_LOST_TRIES: z.coerce
    .number()
    .int()
    .min(2)
    .default(3)
    .describe('Workers that may be lost with one attempt of a step before it fails with WORKER_LOST.'),
  INTERNAL_FAILURE_TRIES: count
    .default(10)
    .describe(
      'Tries of a step, or of an end, that fails in our own code before it fails with INTERNAL; after the third, 1 to 30 s lie between two. A database that is away does not count.',
    ),
  RECONCILE_INTERVAL_MS: ms.default(3_000).describe("Pause between the reconciler's passes."),
  SWEEP_INTERVAL_MS: ms
    .default(60_000)
    .describe(
      'Pause between two sweeps, which delete what has expired or is older than its retention. A row that may not be deleted yet is read once an hour.',
    ),
  EXECUTION_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(0)
    .describe(
      'Days after which ended executions and all their data are deleted; 0 keeps them. At least the retention of the Temporal namespace: a start with the id of a deleted execution that Temporal still knows would take over how that one ended. Workers log a warning where it is shorter.',
    ),
};

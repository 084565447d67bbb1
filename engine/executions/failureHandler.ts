import type { Logger } from 'pino';
import { failureReport } from '../../domain/execution/failureReport.ts';
import type { JsonObject } from '../../domain/json.ts';
import { Problem } from '../../domain/problem.ts';
import { startInput } from '../../domain/workflow/startInput.ts';
import type { Database } from '../../prisma/client.ts';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';
import { type ClaimedFailure, claimFailures } from '../../prisma/store/failure/claimFailures.ts';
import { readFailure } from '../../prisma/store/failure/readFailure.ts';
import { type FailureSettlement, settleFailure } from '../../prisma/store/failure/settleFailure.ts';
import type { HeldBuckets } from '../duties/heldBuckets.ts';
import type { DueFeed } from '../feeds/dueFeed.ts';
import { inLanes } from '../inLanes.ts';
import { OnePass } from '../onePass.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { inWork } from '../tracing/work.ts';
import type { ExecutionIds } from './executionIds.ts';
import type { Admitted, FoundWorkflow, Start, Starter } from './starter.ts';

export interface FailureHandlerOptions {
  database: Database;
  starter: Starter;
  executionIds: ExecutionIds;
  feed: DueFeed;
  log: Logger;
  /** Puts the error workflow into the trace of the failed execution; absent: it has its own trace. */
  tracing?: Tracing;
  buckets: HeldBuckets;
}

const BATCH = 50;
const AT_ONCE = 10;
const WORKFLOW = { type: 'workflow' } as const;
/** Pauses double, so 20 attempts take about 9 hours. */
const MAX_ATTEMPTS = 20;
const MAX_PAUSE_MS = 3_600_000;

/**
 * Starts error workflows. A database trigger records each failure with the end (an outbox); its notification and the
 * reconciler wake this class, in several processes: the handler's execution id is derived from the failed one.
 */
export class FailureHandler {
  readonly #options: FailureHandlerOptions;
  readonly #unsubscribe: () => void;
  readonly #pass = new OnePass(() =>
    this.handleDue().catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'error workflows are started later'),
    ),
  );
  #stopped = false;

  constructor(options: FailureHandlerOptions) {
    this.#options = options;
    this.#unsubscribe = options.feed.subscribe((workspaceId) => {
      if (options.buckets.has(workspaceId)) this.#pass.wake();
    });
  }

  /** Throws if the database is unavailable. */
  async handleDue(): Promise<void> {
    for (let claimed = BATCH; claimed === BATCH && !this.#stopped; ) {
      const { database, buckets, executionIds } = this.#options;
      const failures = await claimFailures(database, buckets.list(), BATCH, (id) => executionIds(id, 'failure'));
      await inLanes(AT_ONCE, failures, (failure) => this.#handle(failure));
      claimed = failures.length;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    await this.#pass.stop();
  }

  async #handle(failure: ClaimedFailure): Promise<void> {
    const { database, log } = this.#options;
    const { workspaceId, executionId, workflowId } = failure;
    const settlement = await this.#start(failure);
    if (settlement.status === 'NOT_STARTED') {
      const { code } = settlement.error;
      log.warn(
        { workspaceId, executionId, workflowId, code },
        'the error workflow of a failed execution was not started',
      );
    }
    await settleFailure(database, workspaceId, executionId, settlement);
  }

  async #start(failure: ClaimedFailure): Promise<FailureSettlement> {
    if (failure.isStarted) return { status: 'STARTED' };
    const { database, starter, tracing, log } = this.#options;
    const { workspaceId, executionId, workflowId, handlerExecutionId, attempts } = failure;
    try {
      const failed = await readFailure(database, workspaceId, executionId);
      if (!failed) return notStarted('NOT_FOUND', 'The failed execution is not there any more');
      const report = failureReport(failed);
      const start = {
        executionId: handlerExecutionId,
        requestId: failed.requestId ?? executionId,
        startedBy: WORKFLOW,
      };
      const trace = tracing?.ofExecution(executionId, failed.trace);
      const started = await inWork({ trace }, () => startHandler(starter, { workspaceId, workflowId }, start, report));
      return started ? { status: 'STARTED' } : notStarted('NOT_FOUND', 'The error workflow does not exist any more');
    } catch (error) {
      if (error instanceof Problem) return notStarted(error.code, error.message);
      if (isDatabaseUnavailable(error)) throw error;
      log.warn({ executionId, workflowId, attempts, err: error }, 'an error workflow could not be started');
      if (attempts >= MAX_ATTEMPTS) return notStarted('INTERNAL', `It could not be started in ${attempts} tries`);
      return { status: 'PENDING', retryInMs: Math.min(1_000 * 2 ** (attempts - 1), MAX_PAUSE_MS) };
    }
  }
}

/** False if there is no such workflow. */
async function startHandler(
  starter: Starter,
  { workspaceId, workflowId }: { workspaceId: string; workflowId: string },
  start: Start,
  report: JsonObject,
): Promise<boolean> {
  let found = await starter.look(workspaceId, workflowId);
  for (; found; found = await starter.look(workspaceId, workflowId, 'rows')) {
    const outcome = await starter.start(found, start, admit(found, report));
    if (outcome !== 'stale') return true;
  }
  return false;
}

async function admit({ head, definition }: FoundWorkflow, report: JsonObject): Promise<Admitted> {
  if (!head.isActive) throw new Problem('WORKFLOW_NOT_EXECUTABLE', 'The error workflow is not active');
  const input = startInput(definition.trigger, report, new Date());
  if (input.trigger) return { trigger: input.trigger as JsonObject, isAwaited: false };
  if (input.refusal !== undefined) throw new Problem('WORKFLOW_NOT_EXECUTABLE', input.refusal);
  const detail = input.problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new Problem('WORKFLOW_NOT_EXECUTABLE', `The error workflow asks for other input: ${detail}`);
}

function notStarted(code: string, message: string): FailureSettlement {
  return { status: 'NOT_STARTED', error: { code, message } };
}

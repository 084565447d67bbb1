import { activityInfo, Context } from '@temporalio/activity';
import { outputWarnings } from '../../domain/app/outputWarnings.ts';
import { queueRefusal } from '../../domain/app/workerQueues.ts';
import {
  SMALL_ARGUMENT_BYTES,
  type WorkerArgument,
  type WorkerResult,
  type WorkerTask,
} from '../../domain/app/workerTask.ts';
import type { ActionTask, WorkerArgumentCall } from '../../domain/execution/activityCalls.ts';
import { secretsIn } from '../../domain/execution/maskSecrets.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { secretTexts } from '../../domain/execution/secretTexts.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { JsonObject } from '../../domain/json.ts';
import { attemptSpan } from '../../domain/trace/spanIds.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { ExecutionGone } from '../../engine/executions/executionGone.ts';
import { stepRecord } from '../../engine/executions/stepRecords.ts';
import { traceHeaders } from '../../engine/tracing/traceHeaders.ts';
import { inSpan } from '../../engine/tracing/work.ts';
import { brokenConnection } from '../../prisma/store/connection/brokenConnection.ts';
import { issueToken } from '../../prisma/store/connection/credentialTokens.ts';
import { readBegunStep } from '../../prisma/store/execution/workerSteps.ts';
import { NEEDS_RECONNECT } from '../connections/openConnection.ts';
import type { ActivityServices } from '../services.ts';
import { chosenConnection } from './connectionOfNode.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { keyOfStep } from './keyOfStep.ts';
import { endWait, settleMissed } from './reconnect.ts';
import { resolveInputs } from './resolvedInputs.ts';
import { type Attempt, settleFailedStep, settleResult } from './stepSettlement.ts';

/**
 * Begins an action of a customer's worker: checks everything, and returns the call that the workflow makes.
 * `argumentBytes`: a larger argument is not part of it.
 */
export async function beginWorker(
  run: InlineRun,
  services: ActivityServices,
  argumentBytes = SMALL_ARGUMENT_BYTES,
): Promise<InlineSettlement> {
  let resolved = resolveInputs(services, run);
  if (resolved instanceof Promise) resolved = await resolved;
  if (!resolved.ok) return settleFailedStep(attemptOf(run), resolved.failure);
  const attempt = attemptOf(run, resolved.shown);
  const { compiled, workspaceId, executionId, iteration } = run;
  const worker = workerOf(compiled);
  if (!worker) throw new Error(`The node ${compiled.node.id} has no worker`);
  const inputs = resolved.inputs;
  const refused = refusal(services, run, inputs);
  if (refused) return settleFailedStep(attempt, refused);

  const chosen = await chosenConnection(services, workspaceId, compiled);
  if ('failure' in chosen) return settleFailedStep(attempt, chosen.failure);
  const { connectionId } = chosen;
  const waiting = await missedConnection(services, run, attempt, connectionId);
  if (waiting) return waiting;

  const bytes = Buffer.byteLength(JSON.stringify(inputs));
  const limit = services.config.WORKER_INPUT_BYTES;
  if (bytes > limit) {
    const message = `The inputs have ${bytes} bytes; at most ${limit} are allowed (WORKER_INPUT_BYTES)`;
    return settleFailedStep(attempt, { code: 'WORKER_INPUT_TOO_LARGE', message, retryable: false });
  }
  const record: StepRecord = {
    ...stepRecord(compiled, run.label, run.attempt, iteration),
    status: 'RUNNING',
    input: resolved.shown,
    startedAt: attempt.startedAt.toISOString(),
    taskQueue: worker.taskQueue,
    taskKind: worker.isWorkflow ? 'workflow' : 'activity',
    ...callerOf(executionId),
    ...(connectionId === undefined ? {} : { secrets: [{ connectionId }] }),
  };
  const isSmall = bytes <= argumentBytes;
  const argument = isSmall
    ? await argumentOf(services, { ...run, stepId: run.stepId ?? record.id, inputs, connectionId })
    : undefined;
  const task: WorkerTask = {
    taskQueue: worker.taskQueue,
    type: compiled.node.actionId ?? '',
    ...(worker.isWorkflow ? { isWorkflow: true } : {}),
    ...limits(services, run, worker.isWorkflow),
    bytes,
    ...(argument === undefined ? {} : { argument }),
  };
  return { record, outcome: { nodeId: compiled.node.id, status: 'WORKER', attempt: run.attempt, task }, bytes };
}

/** Settles the step with the worker's answer. A value that does not fit the manifest is kept, with a warning. */
export async function settleWorker(
  services: ActivityServices,
  run: InlineRun,
  result: WorkerResult,
): Promise<InlineSettlement> {
  const attempt = attemptOf(run);
  if ('failure' in result) return settleFailedStep(attempt, result.failure);
  const { output } = result;
  const warnings = outputWarnings(run.compiled.action?.outputSchema, output);
  const console = warnings.map((text) => ({ level: 'warn' as const, text }));
  const shown = console.length === 0 ? {} : { console };
  return settleResult(attempt, { ok: true, output, ...shown }, services.config.MAX_OUTPUT_BYTES);
}

/** Reads the argument of a call that the region did not return because it is large. */
export async function workerArgument(services: ActivityServices, call: WorkerArgumentCall): Promise<WorkerArgument> {
  const { workspaceId, executionId, nodeId, iteration = '', attempt } = call;
  const definition = await services.definitions.get(call);
  const compiled = definition.nodes.get(nodeId);
  const begun = await readBegunStep(services.database, workspaceId, { executionId, nodeId, iteration });
  if (!compiled || !begun) throw new ExecutionGone(`execution ${executionId}`);
  services.tracing.noteExecution(executionId, begun.trace);
  const chosen = await chosenConnection(services, workspaceId, compiled);
  const connectionId = 'failure' in chosen ? undefined : chosen.connectionId;
  const { stepId, inputs, lineageId } = begun;
  const of = { workspaceId, executionId, compiled, iteration, attempt, lineageId, stepId, inputs, connectionId };
  return inSpan(attemptSpan({ executionId, iteration, nodeId }, attempt), () => argumentOf(services, of));
}

type Argued = Pick<InlineRun, 'workspaceId' | 'executionId' | 'compiled' | 'iteration' | 'attempt' | 'lineageId'> & {
  stepId: string;
  inputs: JsonObject;
  connectionId: string | undefined;
};

async function argumentOf(services: ActivityServices, argued: Argued): Promise<WorkerArgument> {
  const { workspaceId, executionId, compiled, iteration, attempt, stepId, inputs, connectionId } = argued;
  const step = { ...argued, nodeId: compiled.node.id };
  const key = (await keyOfStep(services, step))(inputs);
  const { traceparent = '' } = traceHeaders();
  const connection =
    connectionId === undefined
      ? undefined
      : await issueToken(services.database, workspaceId, {
          ...{ executionId, nodeId: compiled.node.id, iteration, connectionId },
        });
  const token = connection === undefined ? {} : { connection };
  return { inputs, call: { executionId, stepId, attempt, idempotencyKey: key(), traceparent, ...token } };
}

/** Inputs are in the history of Temporal, which people and workers of the namespace can read. */
function refusal(
  { config }: ActivityServices,
  { workspaceId, compiled, scope, workerFacts }: InlineRun,
  inputs: JsonObject,
): Failure | undefined {
  if (!workerFacts) throw new Error(`The facts for the worker of ${compiled.node.id} were not read`);
  const { secrets, isOnlyWorkspace } = workerFacts;
  const rules = { grants: config.WORKER_TASK_QUEUES, ownQueue: config.TEMPORAL_TASK_QUEUE };
  const taskQueue = workerOf(compiled)?.taskQueue ?? '';
  const problem = queueRefusal(taskQueue, rules, { workspaceId, isOnlyWorkspace });
  if (problem !== undefined) return { code: 'WORKER_QUEUE_REFUSED', message: problem, retryable: false };
  const known = [...secrets, ...(scope.secrets ?? []), ...secretTexts(compiled.action?.inputConfig.fields, inputs)];
  const held = Object.keys(inputs).filter((key) => secretsIn(inputs[key] ?? null, known).length > 0);
  if (held.length === 0) return undefined;
  const message = `${held.join(', ')}: a secret would be stored in Temporal's history; give the action a connection instead`;
  return { code: 'WORKER_INPUT_SECRET', message, retryable: false };
}

/** Makes the step wait if its connection must be authorized again. */
async function missedConnection(
  services: ActivityServices,
  run: InlineRun,
  attempt: Attempt,
  connectionId: string | undefined,
): Promise<InlineSettlement | undefined> {
  const { workspaceId, executionId, compiled, iteration, host, reconnectUntil } = run;
  const of = { workspaceId, executionId, nodeId: compiled.node.id, attempt: run.attempt };
  const task: ActionTask = {
    ...of,
    ...(iteration === '' ? {} : { iteration }),
    ...(reconnectUntil === undefined ? {} : { reconnectUntil }),
    ...(host === undefined ? {} : { host }),
  };
  const { cancellationSignal } = Context.current();
  const broken =
    connectionId === undefined ? undefined : await brokenConnection(services.database, workspaceId, connectionId);
  if (connectionId === undefined || broken === undefined) {
    await endWait(services, task, cancellationSignal);
    return undefined;
  }
  const message = `The connection "${broken}" must be authorized again`;
  const failure: Failure = { code: NEEDS_RECONNECT, message, retryable: false };
  const settlement = settleFailedStep(attempt, failure);
  return settleMissed(services, task, attempt, settlement, { connectionId, failure }, cancellationSignal);
}

function workerOf({ node, customApp }: CompiledNode): { taskQueue: string; isWorkflow: boolean } | undefined {
  const runs = customApp?.custom.runs;
  if (runs?.on !== 'worker') return undefined;
  return { taskQueue: runs.taskQueue, isWorkflow: runs.workflows?.includes(node.actionId ?? '') ?? false };
}

function limits(
  { config }: ActivityServices,
  { compiled: { node, action } }: InlineRun,
  isWorkflow: boolean,
): Pick<WorkerTask, 'timeoutMs' | 'heartbeatTimeoutMs'> {
  const own = node.timeoutMs ?? action?.timeoutMs;
  // A workflow may wait for days, so only an explicit limit ends it.
  if (isWorkflow) return own === undefined ? {} : { timeoutMs: own };
  const heartbeatTimeoutMs = action?.heartbeatTimeoutMs;
  return {
    timeoutMs: own ?? config.ACTION_TIMEOUT_MS,
    ...(heartbeatTimeoutMs === undefined ? {} : { heartbeatTimeoutMs }),
  };
}

/** The workflow that makes the call: the one that this activity belongs to. */
function callerOf(executionId: string): Pick<StepRecord, 'taskHost'> {
  const caller = activityInfo().workflowExecution?.workflowId ?? executionId;
  return caller === executionId ? {} : { taskHost: caller };
}

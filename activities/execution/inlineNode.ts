import type { Json, JsonObject } from '../../domain/json.ts';
import { attemptSpan } from '../../domain/trace/spanIds.ts';
import type { NodeType } from '../../domain/workflow/definition.ts';
import { webhookResponse } from '../../domain/workflow/webhookResponse.ts';
import { inSpan } from '../../engine/tracing/work.ts';
import { callAction } from '../callAction.ts';
import type { ActivityServices } from '../services.ts';
import type { StepMock } from '../stepMock.ts';
import { runAgent } from './agentRunNode.ts';
import { startDelay } from './delayNode.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { askForInput } from './inputNode.ts';
import { keyOfStep } from './keyOfStep.ts';
import { openLoop } from './loopNode.ts';
import { continueWith, evaluate, invalid, type Resolved, resolveInputs } from './resolvedInputs.ts';
import { runWorkflow } from './runWorkflowNode.ts';
import { settleFailedStep, settleResult, settleSuccess } from './stepSettlement.ts';
import { beginWorker } from './workerNode.ts';

type Runner = (run: InlineRun, services: ActivityServices) => InlineSettlement | Promise<InlineSettlement>;

const RUNNERS: Record<NodeType, Runner> = {
  action: runInlineAction,
  condition: (run, { evaluation }) =>
    decide(
      run,
      () => evaluation.condition(run.workspaceId, run.compiled, run.scope),
      (result) => ({ output: { result }, handle: String(result) }),
    ),
  switch: (run, { evaluation }) =>
    decide(
      run,
      () => evaluation.switch(run.workspaceId, run.compiled, run.scope),
      (name) => ({ output: { case: name }, handle: name }),
    ),
  forEach: (run, services) => continueWith(openLoop(run, services), ({ settlement }) => settlement),
  repeat: (run, services) => continueWith(openLoop(run, services), ({ settlement }) => settlement),
  input: resolvedFirst(askForInput),
  delay: resolvedFirst(startDelay),
  runWorkflow: inAttempt(runWorkflow),
  respond: resolvedFirst(respond),
  stop: resolvedFirst(stop),
};

/** Runs a node in the span of its attempt, which becomes the parent of everything it starts. */
function inAttempt<R>(run: (run: InlineRun, services: ActivityServices) => R): typeof run {
  return (one, services) =>
    inSpan(attemptSpan({ ...one, nodeId: one.compiled.node.id }, one.attempt), () => run(one, services));
}

const startTurn = inAttempt(runAgent);
const startWorker = inAttempt((run: InlineRun, services) => beginWorker(run, services));

function resolvedFirst(
  begin: (run: InlineRun, resolved: Resolved, services: ActivityServices) => InlineSettlement,
): Runner {
  return (run, services) => continueWith(resolveInputs(services, run), (resolved) => begin(run, resolved, services));
}

export function runInlineNode(
  run: InlineRun,
  services: ActivityServices,
): InlineSettlement | Promise<InlineSettlement> {
  const { stepMock } = services;
  if (stepMock && STOOD_IN.has(run.compiled.node.type)) return stoodInOr(run, services, stepMock);
  return RUNNERS[run.compiled.node.type](run, services);
}

/** Nodes with effects outside the workflow, which a step mock may replace. */
const STOOD_IN: ReadonlySet<NodeType> = new Set(['action', 'runWorkflow']);

async function stoodInOr(run: InlineRun, services: ActivityServices, stepMock: StepMock): Promise<InlineSettlement> {
  const { compiled, workspaceId, executionId, iteration, attempt } = run;
  const resolved = await resolveInputs(services, run);
  const of = { workspaceId, executionId, iteration, node: compiled.node, attempt };
  const result = resolved.ok ? stepMock({ ...of, inputs: resolved.inputs }) : undefined;
  if (!resolved.ok || !result) return RUNNERS[compiled.node.type](run, services);
  return settleResult(attemptOf(run, resolved.shown), result, services.config.MAX_OUTPUT_BYTES);
}

async function runInlineAction(run: InlineRun, services: ActivityServices): Promise<InlineSettlement> {
  const { placement } = run.compiled.action ?? {};
  if (placement === 'child') return startTurn(run, services);
  if (placement === 'worker') return startWorker(run, services);
  const { id, appId = '', actionId = '', timeoutMs } = run.compiled.node;
  let resolved = resolveInputs(services, run);
  if (resolved instanceof Promise) resolved = await resolved;
  if (!resolved.ok) return settleFailedStep(attemptOf(run), resolved.failure);
  const attempt = attemptOf(run, resolved.shown);
  const { action } = run.compiled;
  // The number of earlier completions is needed only for the key.
  const step = { ...run, nodeId: id, lineageId: action?.usesKey ? run.lineageId : null };
  const key = (await keyOfStep(services, step))(resolved.inputs);
  const { workspaceId, executionId } = run;
  const call = {
    ...{ appId, actionId, action, inputs: resolved.inputs, origin: { workspaceId, executionId } },
    ...{ key, attempt: run.attempt, secrets: run.scope.secrets },
  };
  const result = await callAction(services, { ...call, clock: { timeoutMs } });
  const settlement = settleResult(attempt, result, services.config.MAX_OUTPUT_BYTES);
  return { ...settlement, bytes: resolved.bytes + (settlement.bytes ?? 0) };
}

function decide<T extends Json>(
  run: InlineRun,
  work: () => T | Promise<T>,
  taken: (decided: T) => { output: JsonObject; handle: string },
): InlineSettlement | Promise<InlineSettlement> {
  const attempt = attemptOf(run);
  return continueWith(evaluate(work), (decided) => {
    if (!decided.ok) return settleFailedStep(attempt, decided.failure);
    const { output, handle } = taken(decided.value);
    return settleSuccess(attempt, output, handle);
  });
}

function respond(run: InlineRun, resolved: Resolved, { config }: ActivityServices): InlineSettlement {
  if (!resolved.ok) return settleFailedStep(attemptOf(run), resolved.failure);
  const attempt = attemptOf(run, resolved.shown);
  const { response, problem } = webhookResponse(resolved.inputs, config.WEBHOOK_URL !== undefined);
  if (problem !== undefined) return settleFailedStep(attempt, invalid(problem));
  return { ...settleSuccess(attempt, { ...response }), response, bytes: 2 * resolved.bytes };
}

function stop(run: InlineRun, resolved: Resolved): InlineSettlement {
  if (!resolved.ok) return settleFailedStep(attemptOf(run), resolved.failure);
  const attempt = attemptOf(run, resolved.shown);
  const { outcome, message = null, output = null } = resolved.inputs;
  if (outcome !== 'completed' && outcome !== 'failed') {
    return settleFailedStep(attempt, invalid(`outcome: expected completed or failed, got ${JSON.stringify(outcome)}`));
  }
  return { ...settleSuccess(attempt, { outcome, message, output }, undefined, outcome), bytes: 2 * resolved.bytes };
}

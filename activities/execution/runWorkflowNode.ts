import type { RegionStart } from '../../domain/execution/activityCalls.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { isUuid } from '../../domain/isUuid.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { MAXIMUM_DEPTH } from '../../domain/workflow/controlLimits.ts';
import { startInput } from '../../domain/workflow/startInput.ts';
import { childIdOf } from '../../engine/executions/childIdOf.ts';
import { stepRecord } from '../../engine/executions/stepRecords.ts';
import { readAncestry } from '../../prisma/store/execution/readAncestry.ts';
import { readExecutionResult } from '../../prisma/store/execution/readSnapshot.ts';
import { readStatusMessage } from '../../prisma/store/execution/statusMessage.ts';
import { findWorkflowBySlug, findWorkflowHead, NOT_PUBLISHED } from '../../prisma/store/workflow/findWorkflow.ts';
import type { ActivityServices } from '../services.ts';
import { acceptChild } from './acceptChild.ts';
import { earlierChildId } from './earlierChild.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { invalid, resolveInputs } from './resolvedInputs.ts';
import { settleFailedStep, settleSuccess } from './stepSettlement.ts';

/** Accepts the execution of another workflow, which this execution's workflow then starts as its child. */
export async function runWorkflow(run: InlineRun, services: ActivityServices): Promise<InlineSettlement> {
  let resolved = resolveInputs(services, run);
  if (resolved instanceof Promise) resolved = await resolved;
  if (!resolved.ok) return settleFailedStep(attemptOf(run), resolved.failure);
  const wait = resolved.inputs.wait ?? true;
  const attempt = attemptOf(run, resolved.shown);
  if (typeof wait !== 'boolean') return settleFailedStep(attempt, invalid('wait: expected true or false'));
  const found = await admitted(services, run, resolved.inputs);
  if ('failure' in found) return settleFailedStep(attempt, found.failure);

  const { workspaceId, executionId: parentExecutionId, iteration } = run;
  const nodeId = run.compiled.node.id;
  const executionId = childIdOf(services.executionIds, parentExecutionId, nodeId, iteration);
  const earlierId = await earlierChildId(services, run);
  const origin = { startedBy: 'workflow' as const, parentExecutionId, earlierId };
  const child = { ...found, workspaceId, executionId, ...origin };
  const accepted = await acceptChild(services, child);
  if (accepted.kind === 'refused') {
    return settleFailedStep(attempt, { code: accepted.code, message: accepted.message, retryable: false });
  }
  const { start } = accepted;
  return {
    record: {
      ...stepRecord(run.compiled, run.label, run.attempt, iteration),
      status: 'RUNNING',
      input: { ...resolved.shown, executionId: start.executionId },
      startedAt: attempt.startedAt.toISOString(),
    },
    outcome: { nodeId, status: 'CHILD', start, wait },
  };
}

/** Settles the node with the child's output when the child has ended or, without `wait`, begun. */
export async function settleChild(
  services: ActivityServices,
  run: InlineRun,
  { executionId, status }: Extract<RegionStart, { cause: 'child' }>,
): Promise<InlineSettlement> {
  const attempt = attemptOf(run);
  if (status === undefined) return settleSuccess(attempt, { executionId });
  const result = await readExecutionResult(services.database, run.workspaceId, executionId);
  if (status === 'COMPLETED' && result) return settleSuccess(attempt, result.output);
  const message = (await readStatusMessage(services.database, run.workspaceId, executionId)) ?? 'no reason was given';
  const failure = `The execution ${executionId} ended ${status}: ${message}`;
  return settleFailedStep(attempt, { code: `CHILD_${status}`, message: failure, retryable: true });
}

async function admitted(
  services: ActivityServices,
  run: InlineRun,
  { workflowId: given, slug, input }: JsonObject,
): Promise<{ workflowId: string; trigger: Json } | { failure: Failure }> {
  const { database, definitions } = services;
  const { workspaceId, executionId } = run;
  if (input != null && !isJsonObject(input)) return { failure: invalid('input: expected an object') };
  const named = given == null ? 'slug' : 'workflowId';
  const name = given ?? slug;
  if (typeof name !== 'string') return { failure: invalid(`${named}: expected text, got ${JSON.stringify(name)}`) };
  const id = named === 'slug' ? await findWorkflowBySlug(database, workspaceId, executionId, name) : name;
  const head = id !== undefined && isUuid(id) ? await findWorkflowHead(database, workspaceId, id) : undefined;
  if (!head) return { failure: { code: 'NOT_FOUND', message: `There is no workflow ${name}`, retryable: false } };
  if (head === 'unpublished') {
    return { failure: { code: 'NOT_PUBLISHED', message: NOT_PUBLISHED, retryable: false } };
  }

  const line = await readAncestry(database, workspaceId, executionId, MAXIMUM_DEPTH);
  const path = [...line.map((each) => each.name).reverse(), head.name].join(' → ');
  if (line.some((each) => each.workflowId === head.id)) {
    return { failure: { code: 'WORKFLOW_CYCLE', message: `Workflows start each other: ${path}`, retryable: false } };
  }
  if (line.length >= MAXIMUM_DEPTH) {
    const message = `Workflows start each other at most ${MAXIMUM_DEPTH} deep: ${path}`;
    return { failure: { code: 'WORKFLOWS_TOO_DEEP', message, retryable: false } };
  }
  const { trigger } = await definitions.get({ workspaceId, executionId, versionId: head.versionId });
  const started = startInput(trigger, input ?? {}, new Date());
  if (started.trigger) return { workflowId: head.id, trigger: started.trigger };
  if (started.refusal !== undefined) {
    return { failure: { code: 'WORKFLOW_NOT_EXECUTABLE', message: started.refusal, retryable: false } };
  }
  return { failure: invalid(started.problems.map((each) => `input.${each.path}: ${each.message}`).join('; ')) };
}

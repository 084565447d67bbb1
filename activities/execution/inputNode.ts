import { v7 } from 'uuid';
import { canonicalFields, checkFields } from '../../domain/fieldDeclaration.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { ProblemDetail } from '../../domain/problem.ts';
import { isWhole, MAX_MS, MAXIMUM_APPROVALS } from '../../domain/workflow/controlLimits.ts';
import type { Plan } from '../../domain/workflow/plan.ts';
import { hasEdge } from '../../domain/workflow/planIndex.ts';
import { readSubmitters } from '../../domain/workflow/submitters.ts';
import { stepRecord } from '../../engine/executions/stepRecords.ts';
import type { Answered } from '../../prisma/store/execution/pendingInput.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { invalid, type Resolved } from './resolvedInputs.ts';
import { settleFailedStep, settleSuccess } from './stepSettlement.ts';

export function askForInput(run: InlineRun, resolved: Resolved): InlineSettlement {
  if (!resolved.ok) return settleFailedStep(attemptOf(run), resolved.failure);
  const attempt = attemptOf(run, resolved.shown);
  const { fields, title, instructions, expiresInMs, approvals, submitters: given, excludeStarter } = resolved.inputs;
  const problems = checkFields(fields, 'fields');
  if (problems.length > 0) {
    return settleFailedStep(attempt, invalid(textOf(problems)));
  }
  if (expiresInMs != null && !isWhole(expiresInMs, 1, MAX_MS)) {
    return settleFailedStep(
      attempt,
      invalid(`expiresInMs: expected 1 to ${MAX_MS}, got ${JSON.stringify(expiresInMs)}`),
    );
  }
  const required = isJsonObject(approvals) ? approvals.required : (approvals ?? 1);
  if (!isWhole(required, 1, MAXIMUM_APPROVALS)) {
    const got = JSON.stringify(required ?? null);
    return settleFailedStep(attempt, invalid(`approvals.required: expected 1 to ${MAXIMUM_APPROVALS}, got ${got}`));
  }
  const { submitters, problems: unnamed } = readSubmitters(given);
  if (submitters === undefined) return settleFailedStep(attempt, invalid(textOf(unnamed)));
  if (excludeStarter != null && typeof excludeStarter !== 'boolean') {
    const got = JSON.stringify(excludeStarter);
    return settleFailedStep(attempt, invalid(`excludeStarter: expected true or false, got ${got}`));
  }
  const expiresAt = typeof expiresInMs === 'number' ? attempt.startedAt.getTime() + expiresInMs : undefined;
  const expiry = expiresAt === undefined ? {} : { expiresAt };
  const id = run.stepId ?? v7();
  const { node } = run.compiled;
  return {
    record: {
      ...stepRecord(run.compiled, run.label, run.attempt, run.iteration),
      id,
      status: 'NEEDS_INPUT',
      input: resolved.shown,
      startedAt: attempt.startedAt.toISOString(),
      ...(expiresAt === undefined ? {} : { wakeAt: new Date(expiresAt).toISOString() }),
    },
    outcome: { nodeId: node.id, status: 'NEEDS_INPUT', ...expiry },
    inputRequest: {
      id,
      nodeId: node.id,
      iteration: run.iteration,
      required,
      submitters,
      excludeStarter: excludeStarter === true,
      ...(run.host === undefined ? {} : { host: run.host }),
      label: run.label,
      fields: canonicalFields(fields as unknown as JsonObject[]),
      ...textMember('title', title),
      ...textMember('instructions', instructions),
      ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    },
  };
}

function textOf(problems: readonly ProblemDetail[]): string {
  return problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
}

function textMember<K extends string>(key: K, value: Json | undefined): { [key in K]?: string } {
  if (value === undefined || value === null) return {};
  return { [key]: typeof value === 'string' ? value : JSON.stringify(value) } as { [key in K]?: string };
}

/** Settles a question that has expired, or that was answered just before. */
export function settleInput(run: InlineRun, plan: Plan, answered: Answered): InlineSettlement {
  const attempt = attemptOf(run);
  if (answered.status === 'SUBMITTED' || answered.status === 'APPLIED') {
    return settleSuccess(attempt, answered.answer);
  }
  if (hasEdge(plan, run.compiled.node.id, 'expired')) return settleSuccess(attempt, null, 'expired');
  return settleFailedStep(attempt, { code: 'INPUT_EXPIRED', message: 'No answer came in time', retryable: false });
}

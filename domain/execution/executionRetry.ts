import { checkFieldValues } from '../fieldValues.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { inPath } from '../place.ts';
import { Problem, type ProblemDetail } from '../problem.ts';
import type { CompiledDefinition } from '../workflow/compile.ts';
import { unchangedNodes } from '../workflow/unchangedNodes.ts';
import { type EarlierStep, NOTHING_KEPT, type Resumption, resume, topNode } from './resume.ts';
import type { ExecutionStatus } from './status.ts';

/** The request of a retry. */
export interface RetryRequest {
  /** A node's id. */
  fromStep?: string;
  /** Instead of the trigger's values. */
  input?: JsonObject;
}

/** The execution before. */
export interface Earlier {
  status: ExecutionStatus;
  trigger: Json;
  steps: readonly EarlierStep[];
}

/**
 * The part that a retry keeps: with `fromStep` all steps before it, otherwise all steps before the failed ones. Without
 * `fromStep`, a completed execution, or a retry with new input, runs as a whole. Throws a Problem for a step from which
 * no retry is possible.
 */
export function keptByRetry(
  earlier: Earlier,
  { fromStep, input }: RetryRequest,
  before: CompiledDefinition,
  after: CompiledDefinition,
): Resumption {
  const unchanged = before === after ? undefined : unchangedNodes(before, after);
  const isSame = (nodeId: string) => unchanged === undefined || unchanged.has(nodeId);
  if (fromStep === undefined) {
    const asWhole = earlier.status === 'COMPLETED' || input !== undefined;
    return asWhole ? NOTHING_KEPT : resume(after.plan, earlier.steps, isSame);
  }
  if (!after.nodes.has(fromStep)) {
    const detail = `fromStep: the workflow has no node ${fromStep}`;
    throw new Problem('VALIDATION_FAILED', detail, { errors: [{ path: 'fromStep', message: detail.slice(10) }] });
  }
  const start = topNode(after.plan, fromStep);
  if (before.nodes.has(start) && !earlier.steps.some(({ nodeId }) => nodeId === start)) {
    throw new Problem('RETRY_NOT_ALLOWED', `The execution did not reach ${start}: it cannot be retried from there`);
  }
  return resume(after.plan, earlier.steps, (nodeId) => nodeId !== start && isSame(nodeId));
}

/**
 * The value of `trigger` in a retry; undefined: that of the original. Throws a Problem for values that do not fit the
 * trigger of the version that runs.
 */
export function triggerOfRetry(
  earlier: Earlier,
  { input }: RetryRequest,
  before: CompiledDefinition,
  after: CompiledDefinition,
): Json | undefined {
  const { trigger } = after;
  if (input === undefined && before === after) return undefined;
  if (input === undefined && trigger.type !== before.trigger.type) {
    const detail = `The execution was started by ${before.trigger.type}, the latest version starts by ${trigger.type}`;
    throw new Problem('RETRY_NOT_ALLOWED', `${detail}: give input, or retry the original version`);
  }
  if (trigger.type !== 'manual') return input;
  const given = input ?? (isJsonObject(earlier.trigger) ? earlier.trigger : {});
  const { values, problems } = checkFieldValues(trigger.config.fields ?? [], given, 'keep');
  if (problems.length === 0) return values;
  const errors: ProblemDetail[] = problems.map((each) => ({ ...each, path: inPath('input', each.path) }));
  throw new Problem('VALIDATION_FAILED', 'The input does not fit the fields of the trigger', { errors });
}

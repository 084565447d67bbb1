import { checkFieldValues } from '../fieldValues.ts';
import { isJsonObject, type Json } from '../json.ts';
import { inPath } from '../place.ts';
import { Problem, type ProblemDetail } from '../problem.ts';
import type { Definition } from '../workflow/definition.ts';
import type { Earlier, RetryRequest } from './executionRetry.ts';

/** Returns a retry's `trigger`; undefined keeps the original. Throws a Problem if it does not fit the new version. */
export function triggerOfRetry(
  earlier: Pick<Earlier, 'trigger'>,
  { input }: RetryRequest,
  before: Pick<Definition, 'trigger'>,
  after: Pick<Definition, 'trigger'>,
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

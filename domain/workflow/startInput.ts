import { checkFieldValues } from '../fieldValues.ts';
import type { JsonObject } from '../json.ts';
import type { ProblemDetail } from '../problem.ts';
import type { TriggerNode } from './definition.ts';

export type StartInput =
  | { trigger: JsonObject; problems: [] }
  /** `refusal`: workflows with this trigger cannot be started this way. */
  | { trigger?: undefined; refusal: string; problems: [] }
  | { trigger?: undefined; refusal?: undefined; problems: ProblemDetail[] };

export function startInput(trigger: TriggerNode, input: JsonObject, now: Date): StartInput {
  if (trigger.type === 'schedule') {
    // There is no scheduled time, so it is the current time.
    const time = now.toISOString();
    return { trigger: { ...input, scheduledAt: time, firedAt: time }, problems: [] };
  }
  if (trigger.type !== 'manual') {
    const refusal = `The workflow starts by ${trigger.type}; expected a manual or scheduled trigger`;
    return { refusal, problems: [] };
  }
  const { values, problems } = checkFieldValues(trigger.config.fields ?? [], input, 'keep');
  return problems.length > 0 ? { problems } : { trigger: values, problems: [] };
}

import { checkFieldValues } from '../fieldValues.ts';
import type { JsonObject } from '../json.ts';
import type { ProblemDetail } from '../problem.ts';
import type { TriggerNode } from './definition.ts';

export type StartInput =
  | { trigger: JsonObject; problems: [] }
  /** `refusal`: no workflow of this kind is started so. */
  | { trigger?: undefined; refusal: string; problems: [] }
  | { trigger?: undefined; refusal?: undefined; problems: ProblemDetail[] };

/** The value of `trigger` in an execution that was started by hand or by another workflow instead of by its trigger. */
export function startInput(trigger: TriggerNode, input: JsonObject, now: Date): StartInput {
  if (trigger.type === 'schedule') {
    // Replaces the clock: the scheduled time is now.
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

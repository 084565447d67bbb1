import { checkFieldValues } from '../fieldValues.ts';
import type { JsonObject } from '../json.ts';
import type { ProblemDetail } from '../problem.ts';
import type { TriggerNode } from './definition.ts';

export type StartInput =
  | { trigger: JsonObject; problems: [] }
  /** `refusal`: no workflow of this kind is started so. */
  | { trigger?: undefined; refusal: string; problems: [] }
  | { trigger?: undefined; refusal?: undefined; problems: ProblemDetail[] };

/** What `trigger` means in an execution that is not started by its trigger, but by hand or by another workflow. */
export function startInput(trigger: TriggerNode, input: JsonObject, now: Date): StartInput {
  if (trigger.type === 'schedule') {
    // Instead of by the clock: what the workflow knows of its time is now.
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

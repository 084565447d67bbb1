import { isEqualJson } from '../../domain/isEqualJson.ts';
import type { Json } from '../../domain/json.ts';
import { MASKED_VALUE } from '../environmentFill.ts';
import type { EnvironmentValues } from '../environmentValues.ts';
import type { Applied } from '../planOf.ts';

/** Masks values of the environment, and what they replace: the value so far may be an older secret. */
export function maskedPlan(applied: Applied, values: EnvironmentValues): Applied {
  const plan = applied.plan.map((entry) => ({
    ...entry,
    changes: entry.changes.map((change) => {
      const masked = values.masked(change);
      const isFilled = !isEqualJson(masked.to as Json, change.to as Json);
      return isFilled && masksIn(masked.from) < masksIn(masked.to) && masked.from !== null
        ? { ...masked, from: MASKED_VALUE }
        : masked;
    }),
  }));
  return { ...applied, plan };
}

function masksIn(value: unknown): number {
  return JSON.stringify(value ?? null).split(MASKED_VALUE).length - 1;
}

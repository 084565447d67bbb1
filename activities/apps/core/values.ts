import { z } from 'zod';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import { type Executor, failed, succeeded } from '../executor.ts';

export const set = withInputs({ values: jsonObject }, ({ values }) => succeeded(values));

/** The expression has done the work. Null is a valid value. */
export const transform: Executor = ({ inputs }) => succeeded(inputs.value ?? null);

/** A retry cannot help, because a step has the same inputs in each attempt. */
export const assert = withInputs(
  { condition: z.boolean(), message: z.string().default('The condition does not hold.') },
  ({ condition, message }) => (condition ? succeeded({ passed: true }) : failed('ASSERTION_FAILED', message)),
);

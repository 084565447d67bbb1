import { z } from 'zod';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import { type Executor, failed, succeeded } from '../executor.ts';

export const set = withInputs({ values: jsonObject }, ({ values }) => succeeded(values));

/** The work was done by the expression; null is a value like any other. */
export const transform: Executor = ({ inputs }) => succeeded(inputs.value ?? null);

/** Retrying cannot help: the inputs of a step are the same in each attempt. */
export const assert = withInputs(
  { condition: z.boolean(), message: z.string().default('The condition does not hold.') },
  ({ condition, message }) => (condition ? succeeded({ passed: true }) : failed('ASSERTION_FAILED', message)),
);

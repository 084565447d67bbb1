import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';

/** Retrying cannot help: the inputs of a step are the same in each attempt. */
export const assert = withInputs(
  { condition: z.boolean(), message: z.string().default('The condition does not hold.') },
  ({ condition, message }) => (condition ? succeeded({ passed: true }) : failed('ASSERTION_FAILED', message)),
);

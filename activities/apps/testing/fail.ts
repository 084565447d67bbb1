import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';

/** Fails the first `times` attempts, always without it. */
export const fail = withInputs(
  {
    times: z.int().min(0).optional(),
    message: z.string().default('This step was told to fail.'),
    retryable: z.boolean().default(true),
  },
  ({ times, message, retryable }, { attempt }) =>
    times !== undefined && attempt > times ? succeeded({ attempt }) : failed('TEST_FAILURE', message, { retryable }),
);

import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { type Executor, failed, succeeded } from '../executor.ts';

export const succeed: Executor = ({ inputs }) => succeeded(inputs.output ?? null);

export const fail = withInputs(
  {
    times: z.int().min(0).optional(),
    message: z.string().default('This step fails on request.'),
    retryable: z.boolean().default(true),
  },
  ({ times, message, retryable }, { attempt }) =>
    times !== undefined && attempt > times ? succeeded({ attempt }) : failed('TEST_FAILURE', message, { retryable }),
);

/** More than any tested limit, and small enough for memory. */
const MAX_BYTES = 100 * 1024 * 1024;

export const payload = withInputs({ bytes: z.int().min(0).max(MAX_BYTES) }, ({ bytes }) =>
  succeeded({ data: 'x'.repeat(bytes) }),
);

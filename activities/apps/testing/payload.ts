import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';

/** Beyond any limit that a test needs, and small enough to hold. */
const MOST_BYTES = 100 * 1024 * 1024;

/** `data` is as long as was asked for; its JSON is that and a dozen bytes. */
export const payload = withInputs({ bytes: z.int().min(0).max(MOST_BYTES) }, ({ bytes }) =>
  succeeded({ data: 'x'.repeat(bytes) }),
);

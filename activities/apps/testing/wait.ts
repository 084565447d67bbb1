import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { MAX_TIMER_MS } from '../../../domain/limits.ts';
import { withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';

export const wait = withInputs({ ms: z.number().min(0).max(MAX_TIMER_MS) }, async ({ ms }, { signal }) => {
  const startedAt = performance.now();
  const waitedMs = () => performance.now() - startedAt;
  try {
    // Node's timers may fire up to a millisecond early.
    do await delay(ms - waitedMs(), undefined, { signal });
    while (waitedMs() < ms);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return succeeded({ waitedMs: Math.floor(waitedMs()) });
});

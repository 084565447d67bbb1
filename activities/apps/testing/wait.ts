import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { MAX_TIMER_MS } from '../../../domain/limits.ts';
import { withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';

/** Throws the signal's reason as soon as it is aborted. */
export const wait = withInputs({ ms: z.number().min(0).max(MAX_TIMER_MS) }, async ({ ms }, { signal }) => {
  const startedAt = performance.now();
  const waitedMs = () => performance.now() - startedAt;
  try {
    // A timer of Node may come up to a millisecond early.
    do await delay(ms - waitedMs(), undefined, { signal });
    while (waitedMs() < ms);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return succeeded({ waitedMs: Math.floor(waitedMs()) });
});

import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiAnswer } from '../setup/api/client.ts';

const PAUSE_MS = 400;

/** Number of repetitions. */
export interface Persistence {
  repeats: number;
}

/** The process died, or the call exceeded its signal's time. */
export function isCutOff(error: unknown): boolean {
  // By name, because jest gives a test file a TypeError of its own, and fetch throws Node's.
  return ['TypeError', 'TimeoutError'].includes((error as Error).name);
}

function mayPass({ status, body }: ApiAnswer): boolean {
  return status === 503 || (status === 409 && /still running/.test(body.detail));
}

/**
 * Repeats a call until it has a lasting answer: no lost connection, no 503, and no request under the same key that
 * still runs. Anything else, even a 500, is for the caller to check. `signal` ends the repetition.
 */
export async function persist(
  work: () => Promise<ApiAnswer>,
  persistence: Persistence,
  signal: AbortSignal,
): Promise<ApiAnswer> {
  for (;;) {
    try {
      const answer = await work();
      if (!mayPass(answer)) return answer;
    } catch (error) {
      if (!isCutOff(error)) throw error;
    }
    persistence.repeats += 1;
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

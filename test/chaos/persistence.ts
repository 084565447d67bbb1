import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiAnswer } from '../setup/api/client.ts';

const PAUSE_MS = 400;

/** How often it had to be asked again. */
export interface Persistence {
  repeats: number;
}

/** Whether a call was cut off: its process died, or it was too slow for its signal. */
export function isCutOff(error: unknown): boolean {
  // By its name: jest gives a file of tests a TypeError of its own, and fetch throws Node's.
  return ['TypeError', 'TimeoutError'].includes((error as Error).name);
}

function mayPass({ status, body }: ApiAnswer): boolean {
  return status === 503 || (status === 409 && /still running/.test(body.detail));
}

/**
 * Asks until there is an answer that stays: neither a lost connection, nor 503, nor a first request under the same
 * Idempotency-Key that still runs. Anything else, a 500 too, is the caller's to judge.
 * `signal` ends the asking.
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

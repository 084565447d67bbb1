import { fetch as undiciFetch } from 'undici';
import { bounded } from '../../engine/boundedAnswer.ts';
import type { GuardSettings } from '../apps/guard/addressGuard.ts';
import { buildGuardedAgent } from '../apps/http/guardedAgent.ts';

export type GuardedFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface FetchSettings extends GuardSettings {
  /** Maximum decompressed response, counted over a whole stream. */
  maxAnswerBytes: number;
  /** Maximum time between two pieces of a response, including comments. Absent: only the caller's signal. */
  idleMs?: number;
}

/**
 * Makes a fetch that connects only to allowed addresses, follows no redirect, which could carry a credential elsewhere,
 * and ends responses above their limit with `tooLarge`. Callers limit the time to the first piece with their signal.
 */
export function buildGuardedFetch(
  { maxAnswerBytes, idleMs = 0, ...guard }: FetchSettings,
  tooLarge: (maxBytes: number) => Error,
): GuardedFetch {
  const dispatcher = buildGuardedAgent(guard, { headersTimeout: 0, bodyTimeout: idleMs });
  return async (url, init) => {
    // undici's fetch and Node's differ only in their types.
    const options = { ...init, dispatcher, redirect: 'manual' } as Parameters<typeof undiciFetch>[1];
    const response = await undiciFetch(url as Parameters<typeof undiciFetch>[0], options);
    return bounded(response as unknown as Response, maxAnswerBytes, tooLarge);
  };
}

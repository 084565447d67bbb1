import { fetch as undiciFetch } from 'undici';
import { bounded } from '../../engine/boundedAnswer.ts';
import type { GuardSettings } from '../apps/guard/addressGuard.ts';
import { buildGuardedAgent } from '../apps/http/guardedAgent.ts';

export type GuardedFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface FetchSettings extends GuardSettings {
  /** Largest decompressed answer; a streamed one counts as a whole. */
  maxAnswerBytes: number;
  /** Longest time between two pieces of an answer, comments in a stream included; absent: none but the caller's signal. */
  idleMs?: number;
}

/**
 * A fetch for clients of packages: it connects only to addresses that the guard allows, follows no redirect, which
 * would carry a credential to another host, and cuts an answer off beyond its limit with `tooLarge`. All its
 * connections form one pool. How long the first piece of an answer may take is the caller's: it gives a signal.
 */
export function buildGuardedFetch(
  { maxAnswerBytes, idleMs = 0, ...guard }: FetchSettings,
  tooLarge: (maxBytes: number) => Error,
): GuardedFetch {
  const dispatcher = buildGuardedAgent(guard, { headersTimeout: 0, bodyTimeout: idleMs });
  return async (url, init) => {
    // The types of undici's own fetch and of Node's differ in name alone.
    const options = { ...init, dispatcher, redirect: 'manual' } as Parameters<typeof undiciFetch>[1];
    const response = await undiciFetch(url as Parameters<typeof undiciFetch>[0], options);
    return bounded(response as unknown as Response, maxAnswerBytes, tooLarge);
  };
}

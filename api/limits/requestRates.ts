import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config.ts';
import { Problem } from '../../domain/problem.ts';

/** The settings are requests per minute. */
const WINDOW_S = 60;

const POLICIES = {
  /** An API key, or a session of a user. */
  caller: { setting: 'REQUESTS_PER_MINUTE', whose: 'this caller' },
  /** An IPv6 address counts by its /64. */
  address: { setting: 'ADDRESS_REQUESTS_PER_MINUTE', whose: 'this address' },
  webhook: { setting: 'WEBHOOK_REQUESTS_PER_MINUTE', whose: 'this webhook' },
} as const satisfies Record<string, { setting: keyof Config; whose: string }>;

type Policy = keyof typeof POLICIES;

/** Counts a request and writes the remaining number to the answer. Throws RATE_LIMITED. */
export type RequestRates = (response: Response, policy: Policy, key: string) => Promise<void>;

/** Counts in memory. Each of API_PROCESSES enforces its part, so a caller connected to only one gets only that part. */
export function createRequestRates(config: Config): RequestRates {
  const limiters = new Map<Policy, RateLimiterMemory>();
  for (const [policy, { setting }] of Object.entries(POLICIES) as [Policy, (typeof POLICIES)[Policy]][]) {
    if (config[setting] === 0) continue;
    const points = Math.max(1, Math.floor(config[setting] / config.API_PROCESSES));
    limiters.set(policy, new RateLimiterMemory({ points, duration: WINDOW_S }));
  }
  return async (response, policy, key) => {
    const limiter = limiters.get(policy);
    if (!limiter) return;
    const { isOver, left, seconds } = await take(limiter, key);
    tell(response, policy, limiter.points, left, seconds);
    if (!isOver) return;
    const { whose } = POLICIES[policy];
    throw new Problem('RATE_LIMITED', `At most ${limiter.points} requests a minute are allowed for ${whose}`, {
      retryAfter: seconds,
    });
  };
}

async function take(limiter: RateLimiterMemory, key: string) {
  try {
    return shown(await limiter.consume(key), false);
  } catch (refused) {
    // The limiter throws this value if no points are left.
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return shown(refused, true);
  }
}

function shown({ remainingPoints, msBeforeNext }: RateLimiterRes, isOver: boolean) {
  return { isOver, left: remainingPoints, seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
}

/** draft-ietf-httpapi-ratelimit-headers-10: lists of structured fields, one member per policy. */
function tell(response: Response, policy: Policy, points: number, left: number, seconds: number): void {
  add(response, 'RateLimit-Policy', `"${policy}";q=${points};w=${WINDOW_S}`);
  add(response, 'RateLimit', `"${policy}";r=${left};t=${seconds}`);
}

function add(response: Response, name: string, member: string): void {
  const before = response.getHeader(name);
  response.setHeader(name, before === undefined ? member : `${before}, ${member}`);
}
